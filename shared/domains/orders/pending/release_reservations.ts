import { sweepTimer } from '../../../jobs/timers/timer.ts';
import { endReservations, lockPendingOrders } from './pending_orders.ts';

/** Makes units reserved for too long available again. The purchases wait on without them. */
export const releaseReservations = sweepTimer({
  name: 'release_reservations',
  title: 'Release reservations',
  summary: 'Internal: ends reservations of purchases that have waited too long for an owner.',
  everyMs: 30_000,
  done: ['released', 'Purchases whose units were released.'],
  rowsMax: 200,
  due: { table: 'pending_order', where: 'reserved_until <= now()', order: 'reserved_until' },

  // In the order of products, as every transaction locks them. Purchases in decision are skipped.
  lock: (db, ids) =>
    lockPendingOrders(
      db,
      `id in (select id from pending_order where id = any ($1)
               order by product_id, id for update skip locked) order by product_id, id`,
      [ids],
    ),

  work: (tx, orders) => endReservations(tx.db, orders),
});
