import { sweepTimer } from '../../../jobs/timers/timer.ts';
import { endQuotes, lockQuotes } from './quote.ts';

/**
 * Ends quotes that nobody bought in time. Nothing waits for it: a purchase that finds too few units
 * ends those of its product itself.
 */
export const releaseQuotes = sweepTimer({
  name: 'release_quotes',
  title: 'Release quotes',
  summary: 'Internal: ends quotes whose time is over, and makes their units available again.',
  everyMs: 30_000,
  done: ['released', 'Quotes that ended.'],
  rowsMax: 200,
  due: { table: 'quote', where: `status = 'open' and expires_at <= now()`, order: 'expires_at' },

  // In the order of products, as every transaction locks them. Quotes that are being bought stay.
  lock: (db, ids) =>
    lockQuotes(
      db,
      `id in (select id from quote where id = any ($1)
               order by product_id, id for update skip locked) order by product_id, id`,
      [ids],
    ),

  work: (tx, quotes) => endQuotes(tx.db, quotes),
});
