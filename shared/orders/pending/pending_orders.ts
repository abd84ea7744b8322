import type { EntityManager } from 'typeorm';

import { emit } from '../../events/events.ts';
import { Deferral } from '../../jobs/deferral.ts';
import { giveBack, isTaken, type Limit } from '../../kernel/limits/limits.ts';
import type { Tx } from '../../kernel/operation.ts';
import { lockTreasuries, spendableOf, sumOf } from '../../ledger/ledger.ts';
import type { Micros } from '../../ledger/money.ts';
import { column, execute, row, rows, type Row } from '../../platform/rows.ts';
import { quote } from '../order.ts';
import { lockUnits, outOfStock, type Purchasable } from '../purchasable.ts';

/*
 * A purchase that waits for an owner is shown as the order that it may become. Its units are
 * reserved meanwhile: nobody else buys them, and they are for sale again when the purchase is
 * refused, or too much time has passed.
 */

/** With the half minute of its timer at most a quarter of an hour. */
const RESERVED_MINUTES = 14;

/**
 * Reservations of a tree of one product, of which nothing was bought: it could hold all units for
 * ever with money that it does not spend. Beyond them a purchase waits without its units.
 */
const RESERVATIONS: Limit = {
  kind: 'reservations',
  max: 10,
  windowSeconds: 86_400,
  reached: 'Your tree of agents reserved units of this product ten times within a day.',
};

/** What a pending order becomes when its purchase is refused. */
type End = 'cancelled' | 'expired';

const RESERVATION = {
  id: column.id,
  buyer_id: column.id,
  product_id: column.id,
  quantity: column.int,
  is_reserved: column.boolean,
};
/** A pending order, whose row is locked. */
export type Reservation = Row<typeof RESERVATION>;

/** The same deferral, which also shows the order and reserves its units. */
export const withPendingOrder = (deferral: Deferral, product: Purchasable, quantity: number) =>
  new Deferral(deferral, async (tx, call) => {
    // The tree is locked before anything else, as always.
    const { rootId } = tx.caller;
    const holds = (await lockTreasuries(tx.db, [rootId])).get(rootId)!;
    const recorded = await deferral.record(tx, call);
    if (!recorded.isRepeat)
      await record(tx, { product, quantity, balance: sumOf(spendableOf(holds)) });
    return recorded;
  });

interface PendingPurchase {
  readonly product: Purchasable;
  readonly quantity: number;
  /** What the tree has. It reserves no more than it can pay for, or it would cost nothing. */
  readonly balance: Micros;
}

async function record(tx: Tx, { product, quantity, balance }: PendingPurchase): Promise<void> {
  const { db, caller, key } = tx;
  const { unitPrice, subtotal, fee, total } = quote(product.price, quantity);
  const { reserved } = await row(
    db,
    { reserved: column.micros },
    `select coalesce(sum(subtotal + fee), 0)::bigint as reserved from pending_order
      where buyer_root = $1 and reserved_until is not null`,
    [caller.rootId],
  );
  const holder = { tree: caller.rootId, of: `product ${product.id}` };
  const reserves = product.in_stock !== null && reserved + total <= balance;
  const isReserved = reserves && (await isTaken(tx, RESERVATIONS, holder));
  const [order] = await rows(
    db,
    RESERVATION,
    `insert into pending_order (job_id, buyer_id, buyer_root, seller_id, product_id, title,
                                quantity, unit_price, subtotal, fee, reserved_until)
     select $1, $2, $3, p.seller_id, p.id, p.title, $5, $6, $7, $8,
            case when $9 then now() + interval '${RESERVED_MINUTES} minutes' end
       from product p where p.id = $4
     on conflict (job_id) do nothing
     returning ${NAMES}`,
    [
      key,
      caller.agentId,
      caller.rootId,
      product.id,
      quantity,
      unitPrice,
      subtotal,
      fee,
      isReserved,
    ],
  );
  if (!order) {
    // It has asked before, because of another policy.
    if (isReserved) await giveBack(tx, RESERVATIONS, holder);
    return;
  }
  if (order.is_reserved) await reserve(tx, product, order);
  await tell(db, order, 'pending_approval');
}

const NAMES = `id, buyer_id, product_id, quantity, reserved_until is not null as is_reserved`;

/** Takes the units from the stock, or refuses: others have bought them a moment ago. */
async function reserve(tx: Tx, product: Purchasable, { id, quantity }: Reservation): Promise<void> {
  const { db } = tx;
  if (product.stock_kind === 'counted') {
    const taken = await execute(
      db,
      'update product set quantity = quantity - $2 where id = $1 and quantity >= $2',
      [product.id, quantity],
    );
    if (taken === 0) throw outOfStock(product.id, quantity);
    return;
  }
  let units = await freeUnits();
  // Others hold some, and may give them back.
  if (units.length < quantity) {
    await lockUnits(tx, product, quantity);
    units = await freeUnits();
  }
  if (units.length < quantity) throw outOfStock(product.id, quantity);
  await execute(db, `update stock set status = 'reserved', reserved_for = $1 where id = any ($2)`, [
    id,
    units.map((unit) => unit.id),
  ]);

  function freeUnits() {
    return rows(
      db,
      { id: column.id },
      `select id from stock where product_id = $1 and status = 'available'
        order by id limit $2 for update skip locked`,
      [product.id, quantity],
    );
  }
}

/** Sells the units of these orders again. Products are locked in the order that is given. */
export async function giveBackUnits(
  db: EntityManager,
  orders: readonly Reservation[],
): Promise<void> {
  for (const { id, product_id, quantity, is_reserved } of orders) {
    if (!is_reserved) continue;
    await execute(db, 'update pending_order set reserved_until = null where id = $1', [id]);
    await execute(
      db,
      `update stock set status = 'available', reserved_for = null where reserved_for = $1`,
      [id],
    );
    await execute(
      db,
      `update product set quantity = quantity + $2 where id = $1 and stock_kind = 'counted'`,
      [product_id, quantity],
    );
  }
}

/**
 * Of a purchase that was approved: its order is pending no more, and what was reserved for it can
 * be bought by this transaction, and until that ends by no other. Resolves with the id of the
 * order; undefined: nobody was asked about this purchase.
 */
export async function takePendingOrder(tx: Tx): Promise<number | undefined> {
  const { db, caller, key } = tx;
  const sql = 'select id from pending_order where job_id = $1';
  const [found] = await rows(db, { id: column.id }, sql, [key]);
  if (!found) return undefined;
  await lockTreasuries(db, [caller.rootId]);
  const orders = await lockPendingOrders(db, 'job_id = $1', [key]);
  await giveBackUnits(db, orders);
  for (const order of orders) {
    if (!order.is_reserved) continue;
    const of = `product ${order.product_id}`;
    await giveBack(tx, RESERVATIONS, { tree: caller.rootId, of });
  }
  await execute(db, 'delete from pending_order where id = $1', [found.id]);
  return found.id;
}

/** Ends the order of a purchase that is refused, if it has asked an owner. */
export async function closePendingOrder(
  db: EntityManager,
  { jobId, end }: { jobId: string; end: End },
): Promise<void> {
  const orders = await lockPendingOrders(db, `job_id = $1 and status = 'pending_approval'`, [
    jobId,
  ]);
  await giveBackUnits(db, orders);
  for (const order of orders) {
    await execute(db, 'update pending_order set status = $2, closed_at = now() where id = $1', [
      order.id,
      end,
    ]);
    await tell(db, order, end);
  }
}

/** `where` is a condition, and what follows it. */
export const lockPendingOrders = (
  db: EntityManager,
  where: string,
  parameters: readonly unknown[],
): Promise<Reservation[]> =>
  rows(db, RESERVATION, `select ${NAMES} from pending_order where ${where} for update`, parameters);

/** Tells the buyer. Its seller hears of an order when it is one. */
export async function tell(
  db: EntityManager,
  { id, buyer_id, product_id, quantity }: Reservation,
  status: 'pending_approval' | End,
  type = `order.${status}`,
): Promise<void> {
  const data = { order_id: id, product_id, quantity };
  const object = { kind: 'order', id, status };
  await emit(db, [{ agentId: buyer_id, type, object, data }]);
}
