import type { EntityManager } from 'typeorm';

import type { LockedOrder } from './settle.ts';

/** The seller has so long to answer before the buyer is believed. */
export const RESPONSE_HOURS = 48;

export type Outcome =
  'withdrawn' | 'refunded_by_seller' | 'seller_silent' | 'release' | 'refund' | 'split';

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
