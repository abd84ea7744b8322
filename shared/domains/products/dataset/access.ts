import { Nullable, OneOf, Output, Time, Type, type Static } from '../../../kernel/schema.ts';
import { column, nullable, oneOf, rows, type Database, type Row } from '../../../platform/rows.ts';
import type { DatasetType } from './dataset.ts';

/** Why the user of a buyer cannot be made, without a word of the server of its seller. */
const REASONS = {
  address: 'The address of the seller’s server is not public.',
  unreachable: 'The seller’s server cannot be reached.',
  late: 'The seller’s server did not answer in time.',
  tls: 'The seller’s server offers no valid TLS.',
  login: 'The seller’s server refuses the login of its seller.',
  rights: 'The login of the seller may not make users or let them read there.',
  tables: 'A table that was sold is not on the seller’s server.',
  password: 'The seller’s server refuses every password for the user.',
  forgotten: 'The login of the seller’s server is not kept any more.',
  refused: 'The seller’s server refused to make the user.',
  unknown: 'The user could not be made on the seller’s server.',
} as const;
export type AccessCause = keyof typeof REASONS;

const STATUSES = ['not_asked', 'pending', 'ready', 'failed', 'ended'] as const;

/** The access that an order of a dataset gives. */
export const AccessView = Output('DatasetAccessState', {
  status: OneOf(
    STATUSES,
    'not_asked: call access_dataset. pending: being made. failed: tried again.',
  ),
  reason: Nullable(Type.String({ description: 'Why.' })),
  ends_at: Nullable(Time('Its end; null: never.')),
  due_at: Nullable(Time('Refunded then if not let in.')),
});
type Access = Static<typeof AccessView>;

/** The columns that decide the access of an order, null for orders of other things. */
export const ACCESS = {
  dataset_type: nullable(oneOf<DatasetType>()),
  access_ends_at: nullable(column.time),
  grant_version: nullable(column.int),
  grant_fault: nullable(column.text),
  grant_cause: nullable(column.text),
  /** Time of the refund of a buyer that asked for access and has none yet; null: none waits. */
  access_by: nullable(column.time),
};
/**
 * SQL: the columns, of order `o` and `dataset_sale`. Each is read for the rows that are shown; more
 * joins would keep PostgreSQL from seeing the best order of all of them (join_collapse_limit).
 */
export const ACCESS_COLUMNS = `
  (select type from dataset where id = dataset_sale.dataset_id) as dataset_type,
  (select o.created_at + access_days * interval '1 day' from dataset
    where id = dataset_sale.dataset_id) as access_ends_at,
  (select version from dataset_grant where order_id = o.id) as grant_version,
  (select fault from dataset_grant where order_id = o.id) as grant_fault,
  (select cause from dataset_grant where order_id = o.id) as grant_cause,
  (select access_by from order_access where order_id = o.id) as access_by`;

type State = Row<typeof ACCESS> & { readonly status: string };

/** Whether the buyer of this locked order asked for its access and has none yet. */
export async function awaitsAccess(db: Database, orderId: number): Promise<boolean> {
  const sql = 'select order_id as id from order_access where order_id = $1';
  return (await rows(db, { id: column.id }, sql, [orderId])).length > 0;
}

/** The reason of a failed attempt, in our words. */
const reasonFor = (cause: string | null): string =>
  REASONS[(cause ?? 'unknown') as AccessCause] ?? REASONS.unknown;

/** The access that an order of a dataset gives now. */
export function accessOf(order: State, now: Date): Access {
  const { access_ends_at: end, access_by: by, status } = order;
  const isOpen = status === 'escrow' || status === 'disputed';
  return {
    ...stateOf(order, now),
    ends_at: end?.toISOString() ?? null,
    due_at: isOpen ? (by?.toISOString() ?? null) : null,
  };
}

function stateOf(
  { status, access_ends_at: end, dataset_type: type, ...grant }: State,
  now: Date,
): Pick<Access, 'status' | 'reason'> {
  if (status === 'refunded') return { status: 'ended', reason: 'The order was refunded.' };
  if (end && end <= now) return { status: 'ended', reason: 'The days of access are over.' };
  if (type !== 'mysql') return { status: 'ready', reason: null };
  if (grant.grant_version === null) {
    return { status: 'not_asked', reason: 'The buyer has not asked for its user yet.' };
  }
  if (grant.grant_version > 0) return { status: 'ready', reason: null };
  if (grant.grant_fault === null) {
    return { status: 'pending', reason: 'The user of the buyer is being made.' };
  }
  return { status: 'failed', reason: reasonFor(grant.grant_cause) };
}
