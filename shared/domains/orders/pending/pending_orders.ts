import type { EntityManager } from 'typeorm';

import type { EventType } from '../../events/event_types.ts';
import { emit } from '../../events/events.ts';
import { Deferral } from '../../../jobs/deferral.ts';
import { giveBack, isTaken, type Limit } from '../../../kernel/limits/limits.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { lockTreasuries, spendableOf, sumOf } from '../../ledger/ledger.ts';
import type { Micros } from '../../../kernel/money.ts';
import { column, execute, rows, type Row } from '../../../platform/rows.ts';
import { priceOf } from '../order.ts';
import { freeUnits } from '../purchase/held_units.ts';
import type { Purchasable } from '../purchase/purchasable.ts';
import { reserve } from '../purchase/reserve.ts';
import { endQuotes, heldBy, lockQuotes, type Quote } from '../quotes/quote.ts';

/*
 * A purchase that waits for an owner is shown as the order that it may become. Its units are
 * reserved meanwhile: nobody else buys them, and they are for sale again when the purchase is
 * refused, or too much time has passed.
 */

/** Minutes a reservation lasts: with the half minute of its timer at most a quarter of an hour. */
const RESERVED_MINUTES = 14;

/**
 * Limits the reservations of one product by a tree that did not end in a purchase: without it, a
 * tree could hold all units for ever with money that it does not spend. Beyond the limit a purchase
 * waits without its units.
 */
const RESERVATIONS: Limit = {
  kind: 'reservations',
  max: 10,
  windowSeconds: 86_400,
  reached: 'Your tree of agents reserved units of this product ten times within a day.',
};

/** The status of a pending order when its purchase is refused. */
type End = 'cancelled' | 'expired';

const RESERVATION = {
  id: column.id,
  buyer_id: column.id,
  product_id: column.id,
  quantity: column.int,
  is_reserved: column.boolean,
};
/** A pending order, whose row is locked. */
type Reservation = Row<typeof RESERVATION>;

/** A purchase that an owner has to approve. */
interface Purchase {
  readonly product: Purchasable;
  readonly quantity: number;
  /** The quote that it buys: the pending order gets its price, its units and its id. */
  readonly quote?: Quote;
}

/** Extends a deferral so that it also shows the pending order and reserves its units. */
export const withPendingOrder = (deferral: Deferral, purchase: Purchase) =>
  new Deferral(deferral, async (tx, call) => {
    // The tree is locked before anything else, as always.
    const { rootId } = tx.caller;
    const holds = (await lockTreasuries(tx.db, [rootId])).get(rootId)!;
    const recorded = await deferral.record(tx, call);
    if (!recorded.isRepeat) await record(tx, { ...purchase, balance: sumOf(spendableOf(holds)) });
    return recorded;
  });

interface PendingPurchase extends Purchase {
  /** The tree's balance. Reservations are limited to it, or they would cost nothing. */
  readonly balance: Micros;
}

async function record(tx: Tx, purchase: PendingPurchase): Promise<void> {
  const { db, caller, key } = tx;
  const { product, quantity, balance } = purchase;
  const quote = purchase.quote && (await takeQuote(tx, purchase.quote));
  const { unitPrice, subtotal, fee, total } = priceOf(quote?.unit_price ?? product.price, quantity);
  const reserved = await heldBy(db, caller.rootId);
  const holder = { tree: caller.rootId, of: `product ${product.id}` };
  const reserves = product.in_stock !== null && reserved + total <= balance;
  const isReserved = reserves && (await isTaken(tx, RESERVATIONS, holder));
  const [order] = await rows(
    db,
    RESERVATION,
    `insert into pending_order (id, job_id, buyer_id, buyer_root, seller_id, product_id, title,
                                quantity, unit_price, subtotal, fee, reserved_until)
     select coalesce($10, nextval('order_id')), $1, $2, $3, p.seller_id, p.id, v.title, $5, $6, $7,
            $8, case when $9 then now() + interval '${RESERVED_MINUTES} minutes' end
       from product p
       join product_version v on v.product_id = p.id and v.version = coalesce($11, p.version)
      where p.id = $4
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
      quote?.id ?? null,
      quote?.version ?? null,
    ],
  );
  if (!order) {
    // The purchase has been deferred before, because of another policy.
    if (isReserved) await giveBack(tx, RESERVATIONS, holder);
    return;
  }
  if (order.is_reserved && !quote?.holds) await reserve(db, product, order);
  if (!order.is_reserved && quote?.holds) await freeUnits(db, order);
  await tell(db, order, 'pending_approval');
}

/** Hands a quote over to the pending order, for which its price is held as long as its units. */
async function takeQuote({ db, key }: Tx, { id }: Quote): Promise<Quote> {
  const [quote] = await lockQuotes(
    db,
    `id = $1 and (status = 'open' or status = 'waiting' and exists (
       select from pending_order where id = quote.id and job_id = $2))`,
    [id, key],
  );
  if (!quote) {
    const message = `Quote ${id} is used by another purchase.`;
    throw new Refusal('invalid_transition', message, { status: 'waiting' });
  }
  await execute(
    db,
    `update quote set status = 'waiting', holds = false,
            expires_at = now() + interval '${RESERVED_MINUTES} minutes'
      where id = $1 and status = 'open'`,
    [id],
  );
  return quote;
}

const NAMES = `id, buyer_id, product_id, quantity, reserved_until is not null as is_reserved`;

/** Makes the units of these orders available again. Products are locked in the given order. */
async function giveBackUnits(db: EntityManager, orders: readonly Reservation[]): Promise<void> {
  for (const order of orders) {
    if (!order.is_reserved) continue; // Nothing was taken for it.
    await execute(db, 'update pending_order set reserved_until = null where id = $1', [order.id]);
    await freeUnits(db, order);
  }
}

/** Ends reservations that have lasted too long. The purchases wait on without units. */
export async function endReservations(
  db: EntityManager,
  orders: readonly Reservation[],
): Promise<void> {
  await giveBackUnits(db, orders);
  for (const order of orders) {
    await tell(db, order, 'pending_approval', 'order.reservation_ended');
  }
}

/**
 * Ends the pending order of an approved purchase. Only this transaction can buy the units reserved
 * for it until it ends. Resolves with the id of the order; undefined: the purchase needed no
 * approval.
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

/** Closes the pending order of a purchase that is refused, if it has one. */
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
    await endQuotes(db, await lockQuotes(db, `id = $1 and status = 'waiting'`, [order.id]));
    await tell(db, order, end);
  }
}

/** Locks pending orders. `where` is a condition and the clauses after it. */
export const lockPendingOrders = (
  db: EntityManager,
  where: string,
  parameters: readonly unknown[],
): Promise<Reservation[]> =>
  rows(db, RESERVATION, `select ${NAMES} from pending_order where ${where} for update`, parameters);

/** Emits an event for the buyer. The seller gets one only when the order is placed. */
async function tell(
  db: EntityManager,
  { id, buyer_id, product_id, quantity }: Reservation,
  status: 'pending_approval' | End,
  type: EventType<'order'> = `order.${status}`,
): Promise<void> {
  const data = { order_id: id, product_id, quantity };
  const object = { kind: 'order' as const, id, status };
  await emit(db, [{ agentId: buyer_id, type, object, data }]);
}
