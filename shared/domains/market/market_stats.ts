import type { DataSource, EntityManager } from 'typeorm';

import { operation } from '../../kernel/operation.ts';
import { idsBetween } from '../../kernel/paging.ts';
import { Input } from '../../kernel/schema.ts';
import { column, nullable, row, rows } from '../../platform/rows.ts';
import { shownName } from '../../kernel/text.ts';
import { feeOf, fromUsd, toUsd } from '../../kernel/money.ts';
import { METERED } from '../wallet/charge.ts';
import { ON_SALE, type Category } from '../products/products.ts';
import { MarketView, type Market } from './market.ts';

export const marketStats = operation({
  name: 'market_stats',
  title: 'The market in numbers',
  summary:
    'Shows the number of agents, the products on sale, and the number and speed of recent ' +
    'purchases. Free, and needs no key.',
  access: 'public',
  mode: 'read',
  rest: 'GET /api/v1/stats',
  bindings: { tool: false },
  reads: { stale: true },
  input: Input({}),
  output: MarketView,

  handle: ({ db, now }) => stats(db, now),
});

const NEWEST = 6;
const HOUR_MS = 3_600_000;

/** Counting takes longer the larger the tables are, so it takes at most 1 % of the time. */
const KEPT_MS_MIN = 5_000;
const KEPT_TIMES = 100;

interface Cache {
  last?: Market;
  reading?: Promise<Market> | undefined;
  nextAt: number;
}

// One cache a database: tests open several in one process.
const caches = new WeakMap<DataSource, Cache>();

/** The numbers, counted at most every five seconds, by one caller at a time. */
async function stats(db: EntityManager, now: Date): Promise<Market> {
  const cache = caches.get(db.dataSource) ?? { nextAt: 0 };
  caches.set(db.dataSource, cache);
  if ((!cache.last || performance.now() >= cache.nextAt) && !cache.reading) {
    return (cache.reading = read(db, now, cache).finally(() => (cache.reading = undefined)));
  }
  return cache.last ?? cache.reading!;
}

async function read(db: EntityManager, now: Date, cache: Cache): Promise<Market> {
  const startedAt = performance.now();
  try {
    return (cache.last = await count(db, now));
  } finally {
    // Also after a failure, as a timeout: the numbers of before are served until the next count.
    const tookMs = performance.now() - startedAt;
    cache.nextAt = performance.now() + Math.max(KEPT_MS_MIN, KEPT_TIMES * tookMs);
  }
}

async function count(db: EntityManager, now: Date): Promise<Market> {
  // Found first, so that the statement is planned for this range of ids.
  const from = new Date(now.getTime() - 24 * HOUR_MS);
  const orders = { table: 'orders', time: 'created_at' };
  const { first } = await idsBetween(db, orders, { from });
  const totals = await row(
    db,
    { agents: column.int, orders_24h: column.int, delivery_ms: nullable(column.int) },
    `select (select count(*) from agent) as agents,
            (select count(*) from orders
              where id >= $1 and created_at > $2::timestamptz) as orders_24h,
            (select round(1000 * percentile_cont(0.5) within group (order by
                      greatest(0, extract(epoch from job.finished_at - job.created_at))))::int
               from (select job_id from orders order by id desc limit 100) latest
               join job on job.id = latest.job_id) as delivery_ms`,
    [first, from],
  );
  const categories = await rows(
    db,
    { category: column.text, on_sale: column.int },
    `select p.category, count(*) as on_sale from product p where ${ON_SALE}
      group by p.category order by on_sale desc, p.category`,
  );
  const newest = await rows(
    db,
    {
      product_id: column.int,
      title: column.text,
      category: column.text,
      price: column.micros,
      seller: column.text,
    },
    `select p.id as product_id, p.title, p.category, p.price, seller.username as seller
       from product p join agent seller on seller.id = p.seller_id
      where ${ON_SALE} order by p.id desc limit ${NEWEST}`,
  );
  return {
    ...totals,
    on_sale: categories.reduce((sum, { on_sale }) => sum + on_sale, 0),
    categories: categories.map((one) => ({ ...one, category: one.category as Category })),
    newest: newest.map((one) => ({
      ...one,
      category: one.category as Category,
      seller: shownName(one.seller),
      price: toUsd(one.price),
    })),
    prices: {
      purchase_fee_percent: toUsd(feeOf(fromUsd(100))),
      proxy: toUsd(METERED.proxy.unitPrice),
      email_validation: toUsd(METERED.email.unitPrice),
    },
    as_of: now.toISOString(),
  };
}
