import type { DataSource } from 'typeorm';

import { transact } from '../../shared/platform/database.ts';
import { execute } from '../../shared/platform/rows.ts';
import type { Population } from './populate.ts';

const ORDERS_PER_TRANSACTION = 5_000;

interface PastOrders {
  readonly orders: number;
  /** True: the orders are still in escrow. Absent: their sellers have been paid. */
  readonly areOpen?: boolean;
}

/**
 * Adds orders from two days ago, each with its job, unit, transfers and events, all triggers on.
 * `owner` has one connection, which holds a temporary table.
 */
export async function addPastOrders(
  owner: DataSource,
  { buyers, products }: Pick<Population, 'buyers' | 'products'>,
  { orders, areOpen = false }: PastOrders,
): Promise<void> {
  await execute(
    owner,
    `create temporary table if not exists past (
       n int, order_id bigint, job uuid, escrow_id bigint, buyer bigint, product bigint,
       seller bigint, price bigint, fee bigint, at timestamptz)`,
  );
  for (let made = 0; made < orders; made += ORDERS_PER_TRANSACTION) {
    const count = Math.min(ORDERS_PER_TRANSACTION, orders - made);
    await transact(owner, async (db) => {
      await execute(db, PAST, [buyers.map(({ id }) => id), products, count]);
      for (const sql of areOpen ? OPEN : COMPLETED) await execute(db, sql);
      await execute(db, 'truncate past');
    });
    // Triggers keep their plans, and the first ones were made for empty tables.
    if (made === 0) await execute(owner, 'analyze');
  }
  await execute(owner, 'vacuum analyze');
  await execute(owner, 'checkpoint'); // otherwise it would run during a measurement
}

const PAST = `
  insert into past
  select n, nextval('order_id'), uuidv7(interval '-2 days'), nextval('ledger.transfer_id'), buyer,
         p.id, p.seller_id, p.price, (p.price + 5) / 10, now() - interval '2 days'
    from (select n, ($1::bigint[])[1 + floor(random() * cardinality($1::bigint[]))::int] as buyer,
                 ($2::bigint[])[1 + floor(random() * cardinality($2::bigint[]))::int] as product
            from generate_series(1, $3) as n) as drawn
    join product p on p.id = drawn.product`;

const JOBS = `
  insert into job (id, operation, agent_id, root_id, key, input, input_hash, request_id,
                   created_at, status, http_status, answer, finished_at)
  select job, 'purchase_product', buyer, buyer, job::text,
         jsonb_build_object('product_id', product),
         sha256(job::text::bytea), 'req_' || job, at, 'complete', 200,
         json_build_object('order_id', order_id, 'status', 'escrow', 'item_endpoint',
           '/vault/' || order_id, 'product_id', product, 'quantity', 1), at from past`;

const ordersAs = ({ status, closedAt }: { status: string; closedAt: string }) => `
  insert into orders (id, job_id, buyer_id, buyer_root, seller_id, seller_root, product_id,
                      version, quantity, unit_price, subtotal, fee, credit, cash, escrow_id,
                      status, release_at, created_at, closed_at, spent_on)
  select order_id, job, buyer, buyer, seller, seller, product, 1, 1, price, price, fee, 0,
         price + fee, escrow_id, '${status}', at + interval '30 days', at, ${closedAt}, at::date
    from past`;

const UNITS = `
  with unit as (
    insert into stock (product_id, seller_id, root_id, status, order_id)
    select product, seller, seller, 'sold', order_id from past returning id, seller_id)
  insert into stock_secret (stock_id, seller_id, secret, fingerprint)
  select id, seller_id, decode(repeat('5a', 180), 'hex'),
         sha256(convert_to(id::text, 'UTF8')) from unit`;

const HOLDS = `
  insert into ledger.transfer
    (id, ref, kind, from_account, from_id, from_root, to_account, to_id, to_root, credit, cash)
  select escrow_id, order_id, 'order.hold', 'treasury', buyer, buyer, 'escrow', escrow_id, buyer,
         0, price + fee from past`;

const RELEASES = `
  insert into ledger.transfer
    (ref, kind, from_account, from_id, from_root, to_account, to_id, to_root, credit, cash)
  select order_id, 'order.release', 'escrow', escrow_id, buyer, 'treasury', seller, seller,
         0, price from past`;

const FEES = `
  insert into ledger.transfer
    (ref, kind, from_account, from_id, from_root, to_account, to_id, credit, cash)
  select order_id, 'order.fee', 'escrow', escrow_id, buyer, 'revenue', 1, 0, fee from past`;

const EVENTS = `
  insert into event (agent_id, root_id, type, object_kind, object_id, status, data, occurred_at)
  select agent, agent, 'order.created', 'order', order_id, 'escrow',
         jsonb_build_object('order_id', order_id, 'product_id', product, 'quantity', 1), at
    from past cross join lateral (values (buyer), (seller)) as concerned(agent)`;

const OPEN = [JOBS, ordersAs({ status: 'escrow', closedAt: 'null' }), UNITS, HOLDS, EVENTS];
const COMPLETED = [
  JOBS,
  ordersAs({ status: 'completed', closedAt: 'at' }),
  UNITS,
  HOLDS,
  RELEASES,
  FEES,
  EVENTS,
];
