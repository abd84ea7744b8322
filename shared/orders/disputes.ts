import type { EntityManager } from 'typeorm';

import { invalid, Nullable, OneOf, Output, Text, Time, Untrusted } from '../kernel/schema.ts';
import { clean, untrusted } from '../kernel/text.ts';
import type { LockedOrder } from './locked_orders.ts';

/** The seller has so long to answer before the buyer is believed. */
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
export const DisputeView = Output({
  reason: Untrusted('What the buyer says.'),
  response: Nullable(Untrusted('What the seller says.')),
  opened_at: Time('When it was opened.'),
  respond_by: Time('Until when the seller can answer.'),
  outcome: Nullable(OneOf(OUTCOMES, 'How it ended; the last three are verdicts.')),
  note: Nullable(Text(1, 2000, "The operator's reasons.")),
  closed_at: Nullable(Time('When it ended.')),
});

/** The columns of a DisputeView, for `left join dispute`. */
export const DISPUTE_COLUMNS = `
  dispute.reason, dispute.response, dispute.responded_at, dispute.opened_at, dispute.respond_by,
  dispute.outcome, dispute.note, dispute.closed_at as dispute_closed_at`;

/** Of an order without a dispute, all of it is null. */
export interface DisputeRow {
  reason: string | null;
  response: string | null;
  responded_at: Date | null;
  opened_at: Date | null;
  respond_by: Date | null;
  outcome: Outcome | null;
  note: string | null;
  dispute_closed_at: Date | null;
}

export function disputeOf(row: DisputeRow) {
  if (row.reason === null) return null;
  return {
    reason: untrusted(row.reason),
    response: row.response === null ? null : untrusted(row.response),
    opened_at: row.opened_at!.toISOString(),
    respond_by: row.respond_by!.toISOString(),
    outcome: row.outcome,
    note: row.note,
    closed_at: row.dispute_closed_at?.toISOString() ?? null,
  };
}

/** What somebody says in a dispute, as others may read it. */
export function wordsOf(pointer: string, text: string): string {
  const words = clean(text);
  if (words === '') throw invalid([{ pointer, message: 'has nothing that can be seen' }]);
  return words;
}

/** Ends the dispute of an order that is about to be settled. */
export async function closeDispute(
  db: EntityManager,
  { id }: LockedOrder,
  outcome: Outcome,
  note: string | null = null,
): Promise<void> {
  await db.query(
    'update dispute set outcome = $2, note = $3, closed_at = now() where order_id = $1',
    [id, outcome, note],
  );
}
