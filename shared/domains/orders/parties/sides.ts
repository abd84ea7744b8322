import type { Tx } from '../../../kernel/tx.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { column, nullable, rows } from '../../../platform/rows.ts';

/** The two parties of a deal, as one of them sees it. */
export interface Sides {
  /** The agent for whom the caller acts: itself, or one below it. */
  readonly mine: number;
  readonly theirs: number;
  /** The end of the deal; null: it is open. */
  readonly endedAt: Date | null;
}

/** Finds the sides of an order of the caller's. Refuses one of others as if it did not exist. */
export async function findOrderSides(
  { db, caller }: Pick<Tx, 'db' | 'caller'>,
  orderId: number,
): Promise<Sides> {
  const [order] = await rows(
    db,
    {
      buyer_id: column.id,
      seller_id: column.id,
      buys: column.boolean,
      ended_at: nullable(column.time),
    },
    `select o.buyer_id, o.seller_id, $2 = any (buyer.lineage) as buys, o.closed_at as ended_at
       from orders o join agent buyer on buyer.id = o.buyer_id
      where o.id = $1 and ($2 = any (buyer.lineage) or o.seller_id = $2)`,
    [orderId, caller.agentId],
  );
  if (!order) throw new Refusal('not_found', `You have no order ${orderId}.`);
  const { buyer_id, seller_id, buys, ended_at: endedAt } = order;
  return buys
    ? { mine: buyer_id, theirs: seller_id, endedAt }
    : { mine: seller_id, theirs: buyer_id, endedAt };
}
