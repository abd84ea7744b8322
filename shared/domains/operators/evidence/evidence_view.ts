import { toUsd } from '../../../kernel/money.ts';
import {
  Amount,
  Id,
  Nullable,
  OneOf,
  Output,
  Text,
  Time,
  Type,
  Untrusted,
  type Static,
} from '../../../kernel/schema.ts';
import { shownName, untrusted } from '../../../kernel/text.ts';
import { DISPUTE_KINDS } from '../../deals/disputed.ts';
import { column, jsonOf, nullable, type Row } from '../../../platform/rows.ts';

const PARTIES = ['buyer', 'seller', 'poster', 'worker'] as const;
/** rule: the marketplace, by a rule or a deadline. other: another worker of the unit. */
const ROLES = [...PARTIES, 'operator', 'rule', 'other'] as const;
const PROMISES = [
  'description',
  'description_now',
  'proposal',
  'instructions',
  'unit',
  'verification',
  'template',
  'known_answer',
] as const;
const EVENTS = [
  'posted',
  'offered',
  'bought',
  'taken',
  'delivered',
  'opened',
  'changed',
  'rejected',
  'disputed',
  'answered',
  'decided',
] as const;
type Role = (typeof ROLES)[number];

const SoldDataset = Output({
  dataset_id: Id('The dataset. Its rows or address as sold: disputed_dataset.'),
  version: Type.Integer({ description: 'The version bought.' }),
  sha256: Nullable(Type.String({ description: 'Its SHA-256; null: unknown.' })),
  current_version: Type.Integer({ description: 'The version that is delivered now.' }),
});

const Delivered = Output({
  by: OneOf(ROLES, 'other: another worker of the same unit.'),
  at: Nullable(Time('Time of delivery.')),
  status: Text(1, 40, 'Status of the delivery.'),
  units: Nullable(Type.Integer({ description: 'Units of stock; null: content, or a text.' })),
  sha256: Nullable(Type.String({ description: 'SHA-256 of it in UTF-8; null: not kept.' })),
  text: Nullable(Untrusted('The text; null: goods of a vault, or replaced by a later one.')),
});

const HistoryEntry = Output({
  at: Nullable(Time('The time; null: not recorded.')),
  event: OneOf(EVENTS, 'opened: the vault, first. changed: the listing.'),
  by: OneOf(ROLES, 'rule: the marketplace, by a rule or a deadline.'),
  username: Nullable(Type.String({ description: 'Name of the agent, where it may be another.' })),
  text: Nullable(Untrusted('The words of that side.')),
});

/** The listing of an order, which its seller may have changed since. */
const Listing = Output({
  product_id: Id('The product.'),
  category: Type.String({ description: 'Its category.' }),
  version: Type.Integer({ description: 'The version bought.' }),
  current_version: Type.Integer({ description: 'Version of the listing now.' }),
  version_changed_at: Nullable(
    Time('Replacement by the next version; null: it is current, or long ago.'),
  ),
  unit_price: Amount('Price of a unit of the version bought.'),
  quantity: Type.Integer({ description: 'Units bought.' }),
  release_at: Time('Payment of the seller, had nobody objected.'),
});

export const EvidenceView = Output('DisputeEvidence', {
  kind: OneOf(DISPUTE_KINDS, 'Kind of object.'),
  id: Id('The order_id, task_id or claim_id.'),
  status: Text(1, 40, 'Its status now.'),
  title: Text(1, 200, 'Title of the version bought, or of the task.'),
  amount: Amount('The amount in dispute, with the fee.'),
  opened_at: Time('Opening of the dispute.'),
  listing: Nullable(Listing),
  parties: Type.Array(
    Output({
      role: OneOf(PARTIES, 'Its side.'),
      agent_id: Id('The agent.'),
      username: Type.String({ description: 'Its name.' }),
    }),
    { description: 'Both sides.' },
  ),
  promised: Type.Array(
    Output({
      what: OneOf(
        PROMISES,
        'description: as it was bought, or of the task; absent if replaced long ago.',
      ),
      text: Untrusted('The text.'),
    }),
    { description: 'The terms of the deal.' },
  ),
  delivered: Type.Array(Delivered, { description: 'Everything that was delivered.' }),
  dataset: Nullable(SoldDataset),
  history: Type.Array(HistoryEntry, { description: 'The events, in their order.' }),
  decision: Nullable(
    Output({
      verdict: Text(1, 40, 'The outcome.'),
      by: OneOf(ROLES, 'Who ended it.'),
      at: Time('Time of the end.'),
      returned: Amount('Returned to the buyer or poster, with the fee.'),
      note: Nullable(Text(1, 2000, "The operator's reasons, which both parties read.")),
    }),
  ),
});

/** A value in JSON that PostgreSQL made: absent and null are the same. */
type MaybeText = string | null | undefined;

export const EVIDENCE = {
  status: column.text,
  title: column.text,
  amount: column.micros,
  opened_at: column.time,
  closed_at: nullable(column.time),
  listing: jsonOf<ListingRow | null>(),
  parties: jsonOf<{ role: (typeof PARTIES)[number]; agent_id: number; username: string }[]>(),
  promised: jsonOf<{ what: (typeof PROMISES)[number]; text: string | null }[]>(),
  delivered: jsonOf<DeliveryRow[]>(),
  history: jsonOf<EventRow[]>(),
  dataset: jsonOf<Static<typeof SoldDataset> | null>(),
  verdict: nullable(column.text),
  note: nullable(column.text),
  decided_by: jsonOf<Role>(),
  returned: column.micros,
};

/** A listing as it is read: its price is in micro-dollars. */
type ListingRow = Static<typeof Listing>;

interface DeliveryRow {
  readonly by: Role;
  readonly at: MaybeText;
  readonly status: string;
  readonly units?: number | null;
  readonly sha256?: MaybeText;
  readonly text?: MaybeText;
}

interface EventRow {
  readonly what: (typeof EVENTS)[number];
  readonly by: Role;
  readonly at: MaybeText;
  readonly username?: MaybeText;
  readonly text?: MaybeText;
}

/** Events that leave a time or words; the others have not happened. */
const entryOf = ({ what, by, at, username, text }: EventRow) =>
  at || text
    ? [{ ...entry(what, by, isoOf(at)), username: nameOf(username), text: textOf(text) }]
    : [];

const entry = (event: EventRow['what'], by: Role, at: string | null) => ({
  at,
  event,
  by,
  username: null as string | null,
  text: null as ReturnType<typeof textOf>,
});

const isoOf = (time: MaybeText) => (time ? new Date(time).toISOString() : null);
const nameOf = (name: MaybeText) => (name ? shownName(name) : null);
const textOf = (text: MaybeText) => (text ? untrusted(text) : null);

/** The evidence as operators see it, without the kind and id of its object. */
export function evidenceOf(found: Row<typeof EVIDENCE>) {
  const { opened_at, closed_at, verdict, note, decided_by: by, returned, ...facts } = found;
  const { amount, history, ...rest } = facts;
  const decision =
    closed_at && verdict
      ? { verdict, by, at: closed_at.toISOString(), returned: toUsd(returned), note }
      : null;
  return {
    ...rest,
    amount: toUsd(amount),
    opened_at: opened_at.toISOString(),
    listing: found.listing && listingOf(found.listing),
    parties: found.parties.map((one) => ({ ...one, username: shownName(one.username) })),
    promised: found.promised.flatMap(({ what, text }) =>
      text === null ? [] : [{ what, text: untrusted(text) }],
    ),
    delivered: found.delivered.map(({ by, at, status, ...one }) => ({
      by,
      at: isoOf(at),
      status,
      units: one.units ?? null,
      sha256: one.sha256 ?? null,
      text: textOf(one.text),
    })),
    history: inOrder([
      ...history.flatMap(entryOf),
      ...(decision ? [entry('decided', decision.by, decision.at)] : []),
    ]),
    decision,
  };
}

const listingOf = (listing: ListingRow) => ({
  ...listing,
  version_changed_at: isoOf(listing.version_changed_at),
  unit_price: toUsd(BigInt(listing.unit_price)),
  release_at: isoOf(listing.release_at)!,
});

/** Entries in the order of time. One without a time follows the one before it. */
function inOrder<E extends { readonly at: string | null }>(entries: readonly E[]): E[] {
  let last = 0;
  const timed = entries.map((one) => {
    last = one.at === null ? last : Date.parse(one.at);
    return { one, time: last };
  });
  return timed.toSorted((a, b) => a.time - b.time).map(({ one }) => one);
}
