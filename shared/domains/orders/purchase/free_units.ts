import type { EntityManager } from 'typeorm';

import { column, row } from '../../../platform/rows.ts';
import { endReservations, lockPendingOrders } from '../pending/pending_orders.ts';
import { endQuotes, lockQuotes } from '../quotes/quote.ts';
import type { Purchasable } from './purchasable.ts';

/**
 * Makes units of a product available again that were held until now, so that a sale needs no timer
 * for it. The caller has locked its tree. Rows that others decide about are skipped.
 */
export async function freeLapsedUnits(db: EntityManager, productId: number): Promise<void> {
  const orders = await lockPendingOrders(
    db,
    `id in (select id from pending_order where product_id = $1 and reserved_until <= now()
             order by id for update skip locked) order by id`,
    [productId],
  );
  await endReservations(db, orders);
  const quotes = await lockQuotes(db, freeable('expires_at <= now()'), [productId]);
  await endQuotes(db, quotes);
}

/**
 * The same for an agent that buys without a quote, if it needs that. If too few units are free even
 * then, its own quotes give way: whoever has looked at the last unit can buy it in either way.
 */
export async function freeHeldUnits(
  db: EntityManager,
  { id }: Pick<Purchasable, 'id'>,
  { agentId, quantity }: { readonly agentId: number; readonly quantity: number },
): Promise<void> {
  if (await areFree(db, id, quantity)) return;
  await freeLapsedUnits(db, id);
  if (await areFree(db, id, quantity)) return;
  const quotes = await lockQuotes(db, freeable('agent_id = $2'), [id, agentId]);
  await endQuotes(db, quotes);
}

async function areFree(db: EntityManager, productId: number, quantity: number): Promise<boolean> {
  const { are_free } = await row(
    db,
    { are_free: column.boolean },
    `select case stock_kind when 'serial_pool' then (
              select count(*) from (select from stock where product_id = $1
                and status = 'available' limit $2) unit)
            else quantity end >= $2 as are_free
       from product where id = $1`,
    [productId, quantity],
  );
  return are_free;
}

const freeable = (when: string) =>
  `id in (select id from quote where product_id = $1 and holds and ${when}
           order by id for update skip locked) order by id`;
