import type { Tx } from '../../../kernel/tx.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { rows } from '../../../platform/rows.ts';
import { DEAL, sidesOf, type Sides } from '../../deals/sides.ts';

/** Finds the sides of an order of the caller's. Refuses one of others as if it did not exist. */
export async function findOrderSides(
  { db, caller }: Pick<Tx, 'db' | 'caller'>,
  orderId: number,
): Promise<Sides> {
  const [order] = await rows(
    db,
    DEAL,
    `select o.buyer_id as payer_id, o.seller_id as payee_id, $2 = any (buyer.lineage) as pays,
            o.closed_at as ended_at
       from orders o join agent buyer on buyer.id = o.buyer_id
      where o.id = $1 and ($2 = any (buyer.lineage) or o.seller_id = $2)`,
    [orderId, caller.agentId],
  );
  if (!order) throw new Refusal('not_found', `You have no order ${orderId}.`);
  return sidesOf(order);
}
