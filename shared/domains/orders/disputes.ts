import { Nullable, OneOf, Output, Text, Time, Untrusted } from '../../kernel/schema.ts';
import { untrusted } from '../../kernel/text.ts';
import { column, execute, nullable, oneOf, type Database, type Row } from '../../platform/rows.ts';
import type { LockedOrder } from './locked_orders.ts';

/** Hours that the seller has to answer before the buyer is refunded. */
export const RESPONSE_HOURS = 48;

const OUTCOMES = [
  'withdrawn',
  'refunded_by_seller',
  'seller_silent',
  'release',
  'refund',
  'split',
] as const;
type Outcome = (typeof OUTCOMES)[number];

/** The dispute of an order as both parties see it. */
export const DisputeView = Output('Dispute', {
  reason: Untrusted("The buyer's complaint."),
  response: Nullable(Untrusted("The seller's answer.")),
  opened_at: Time('Time of opening.'),
  respond_by: Time('Last time for the seller to answer.'),
  outcome: Nullable(OneOf(OUTCOMES, 'The last three are verdicts.')),
  note: Nullable(Text(1, 2000, "The operator's reasons.")),
  closed_at: Nullable(Time('Time of the end.')),
});

/** The columns of a dispute for `left join dispute`: all null for an order without one. */
export const DISPUTE = {
  reason: nullable(column.text),
  response: nullable(column.text),
  responded_at: nullable(column.time),
  opened_at: nullable(column.time),
  respond_by: nullable(column.time),
  outcome: nullable(oneOf<Outcome>()),
  note: nullable(column.text),
  dispute_closed_at: nullable(column.time),
};
export const DISPUTE_COLUMNS = `
  dispute.reason, dispute.response, dispute.responded_at, dispute.opened_at, dispute.respond_by,
  dispute.outcome, dispute.note, dispute.closed_at as dispute_closed_at`;

/** The dispute as a DisputeView, or null if there is none. */
export function disputeOf(order: Row<typeof DISPUTE>) {
  if (order.reason === null) return null;
  return {
    reason: untrusted(order.reason),
    response: order.response === null ? null : untrusted(order.response),
    opened_at: order.opened_at!.toISOString(),
    respond_by: order.respond_by!.toISOString(),
    outcome: order.outcome,
    note: order.note,
    closed_at: order.dispute_closed_at?.toISOString() ?? null,
  };
}

/** Closes the disputes of orders that are about to be settled. */
export async function closeDisputes(
  db: Database,
  orders: readonly LockedOrder[],
  outcome: Outcome,
  note: string | null = null,
): Promise<void> {
  await execute(
    db,
    'update dispute set outcome = $2, note = $3, closed_at = now() where order_id = any ($1)',
    [orders.map(({ id }) => id), outcome, note],
  );
}
