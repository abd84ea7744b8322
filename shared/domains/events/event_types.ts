import { invalid } from '../../kernel/invalid.ts';
import { nearestName } from '../../kernel/terms/nearest_name.ts';

/** Kinds of objects, and the events of each. docs/events.md says when each type comes. */
export const EVENT_TYPES = {
  order: [
    'created',
    'pending_approval',
    'cancelled',
    'expired',
    'reservation_ended',
    'revealed',
    'goods_passed',
    'goods_failed',
    'completed',
    'refunded',
    'partially_refunded',
    'disputed',
    'dispute_answered',
    'reviewed',
    'review_answered',
    'review_hidden',
    'review_shown',
  ],
  product: ['approved', 'rejected', 'suspended'],
  task: [
    'posted',
    'assigned',
    'unassigned',
    'submitted',
    'revision_requested',
    'rejected',
    'disputed',
    'approved',
    'refunded',
    'partially_refunded',
    'cancelled',
    'expired',
  ],
  bid: ['placed', 'accepted', 'not_selected', 'lapsed', 'restored'],
  labor: [
    'posted',
    'paused',
    'resumed',
    'completed',
    'cancelled',
    'ended',
    'delivered',
    'appealed',
    'accepted',
    'rejected',
    'expired',
  ],
  dataset: ['active', 'failed', 'accessed', 'access_failed'],
  message: ['received'],
  job: ['completed', 'failed'],
  agent: [
    'spawned',
    'policy_changed',
    'suspended',
    'resumed',
    'anomaly_found',
    'limit_near',
    'calls_failing',
    'calls_costly',
    'signed_in',
    'guessed_at',
    'password_reset_asked',
    'password_reset_stopped',
    'password_reset',
  ],
  approval: ['requested', 'approved', 'denied', 'cancelled', 'expired'],
  deposit: [
    'detected',
    'held',
    'credited',
    'rejected',
    'returned',
    'reversed',
    'restored',
    'claim_refused',
  ],
  wallet: ['tier_raised', 'owed_paid', 'recharge_failed', 'auto_recharge_off'],
  withdrawal: ['requested', 'processing', 'paid', 'failed', 'cancelled'],
  asa: ['requested', 'deployed', 'failed', 'claimed', 'claim_failed'],
  goodwill: ['given'],
  webhook: ['test', 'disabled', 'enabled', 'delivery_failed'],
  nft: ['requested', 'deployed', 'failed'],
  collection: ['requested', 'deployed', 'failed'],
} as const;

type Kind = keyof typeof EVENT_TYPES;
export const EVENT_KINDS = Object.keys(EVENT_TYPES) as readonly Kind[];

/** Kinds of the objects that events are about. */
const OBJECT_KINDS = [
  'order',
  'product',
  'task',
  'bid',
  'labor_task',
  'labor_claim',
  'dataset',
  'message',
  'agent',
  'approval',
  'deposit',
  'owed_payment',
  'wallet',
  'withdrawal',
  'asa',
  'nft',
  'collection',
  'goodwill',
  'webhook',
] as const;
export type ObjectKind = (typeof OBJECT_KINDS)[number];

/** A type of the events of these kinds; of any kind if none is named. */
export type EventType<K extends Kind = Kind> = {
  [One in K]: `${One}.${(typeof EVENT_TYPES)[One][number]}`;
}[K];

const KNOWN = Object.entries(EVENT_TYPES).flatMap(([kind, names]) => [
  ...names.map((name) => `${kind}.${name}`),
  `${kind}.*`,
]);

/** Refuses types, or kinds as order.*, that no event has: whoever waits for one waits for ever. */
export function assertEventTypes(pointer: string, types: readonly string[]): void {
  const unknown = types.filter((type) => !KNOWN.includes(type));
  if (unknown.length === 0) return;
  throw invalid(
    unknown.map((type) => unknownName(pointer, type, { known: KNOWN, what: 'a type of event' })),
  );
}

/** The kind of an object, as a caller names it. */
export function objectKindOf(kind: string): ObjectKind {
  const known = OBJECT_KINDS.find((one) => one === kind);
  if (known) return known;
  throw invalid([
    unknownName('/object_kind', kind, { known: OBJECT_KINDS, what: 'a kind of object' }),
  ]);
}

function unknownName(
  pointer: string,
  name: string,
  { known, what }: { known: readonly string[]; what: string },
) {
  const meant = nearestName(name, known);
  const hint = meant ? `: did you mean ${meant}?` : '';
  return { pointer, message: `must be ${what}, and ${name} is none${hint}` };
}
