import type { DataSource } from 'typeorm';

import { transact } from '../platform/database.ts';

/** A statement that must find nothing, and what it means when it does. */
interface Proof {
  readonly name: string;
  readonly sql: string;
}

export interface Difference {
  readonly proof: string;
  readonly row: Record<string, unknown>;
}

const ROWS_MAX = 20;

/**
 * What must be true of the money at every commit. Each statement selects what is wrong, so that a
 * difference names itself.
 */
export const PROOFS: readonly Proof[] = [
  {
    name: 'the trial balance is zero in each funds',
    sql: `select funds, sum(amount) as difference from ledger.balance_change
           group by funds having sum(amount) <> 0`,
  },
  {
    name: 'each treasury holds what its transfers say',
    sql: `select t.id as treasury, t.credit, t.cash, p.credit as credit_by_entries,
                 p.cash as cash_by_entries
            from ledger.treasury t
           cross join lateral (
             select coalesce(sum(amount) filter (where funds = 'credit'), 0) as credit,
                    coalesce(sum(amount) filter (where funds = 'cash'), 0) as cash
               from ledger.balance_change where place = 'treasury' and account_id = t.id) p
           where (t.credit, t.cash) <> (p.credit, p.cash)`,
  },
  {
    name: 'no escrow has paid out more than it held',
    sql: `select * from ledger.escrow where credit < 0 or cash < 0`,
  },
  {
    name: 'each open order is held for in full, and each closed one paid out in full',
    sql: `select o.id as order_id, o.status, o.credit, o.cash, e.credit as held_credit,
                 e.cash as held_cash
            from orders o left join ledger.escrow e
              on e.id = o.escrow_id and e.kind = 'order.hold' and e.ref = o.id
           where e.id is null or (e.credit, e.cash) <> (
             case when o.closed_at is null then o.credit else 0 end,
             case when o.closed_at is null then o.cash else 0 end)`,
  },
  {
    name: 'each closed order paid its seller, the platform and its buyer what its status says',
    sql: `select o.id as order_id, o.status, o.subtotal, o.fee, o.refunded, paid.*
            from orders o join agent seller on seller.id = o.seller_id
            join agent buyer on buyer.id = o.buyer_id
           cross join lateral (
             select coalesce(sum(credit + cash) filter (
                      where kind = 'order.release' and to_id = seller.root_id), 0) as released,
                    coalesce(sum(credit + cash) filter (where kind = 'order.fee'), 0) as kept,
                    coalesce(sum(credit + cash) filter (
                      where kind = 'order.refund' and to_id = buyer.root_id), 0) as back,
                    coalesce(sum(credit) filter (where kind = 'order.release'), 0)
                      as credit_released,
                    coalesce(sum(credit) filter (where kind = 'order.fee'), 0) as credit_kept
               from ledger.transfer where from_account = 'escrow' and from_id = o.escrow_id) paid
           where o.closed_at is not null and (
             paid.back <> o.refunded
             or paid.released + paid.kept <> o.subtotal + o.fee - o.refunded
             or paid.kept <> div(o.fee * paid.released, o.subtotal)
             or paid.credit_released <> least(o.credit, paid.released)
             or paid.credit_kept <> least(o.credit - paid.credit_released, paid.kept))`,
  },
  {
    name: 'each order was paid by the tree of its buyer',
    sql: `select o.id as order_id, e.from_id as paid_by, buyer.root_id
            from orders o join agent buyer on buyer.id = o.buyer_id
            join ledger.transfer e on e.id = o.escrow_id
           where e.from_account <> 'treasury' or e.from_id <> buyer.root_id`,
  },
  {
    name: 'no escrow is held for an order that does not exist',
    sql: `select h.id as transfer, h.ref from ledger.transfer h
           where h.kind = 'order.hold' and not exists (
             select from orders o where o.id = h.ref and o.escrow_id = h.id)`,
  },
  {
    name: 'each charge was paid once, in full, by the tree of its agent',
    sql: `select c.id as charge, c.service, c.credit, c.cash, e.id as transfer, e.from_id as paid_by
            from (select charge.*, root_id from charge join agent on agent.id = agent_id) c
            full join (select * from ledger.transfer
                        where kind in ('proxy.charge', 'email.charge')) e
              on e.ref = c.id and e.kind::text = c.service || '.charge'
           where c.id is null or e.id is null or e.from_id <> c.root_id
              or (e.credit, e.cash) <> (c.credit, c.cash)`,
  },
  {
    name: 'each email validation was charged what it says, and nothing else was charged for one',
    sql: `select coalesce(j.id, c.call_id) as job, j.charged as said, c.credit + c.cash as charged
            from (select id, case operation
                           when 'validate_email' then (answer->>'charged')::numeric
                           else (select sum((result->>'charged')::numeric)
                                   from json_array_elements(answer->'results') result) end
                         as charged
                    from job where operation in ('validate_email', 'check_emails')
                               and status = 'complete') j
            full join (select * from charge where service = 'email') c on c.call_id = j.id
           where (j.id is not null or exists (select from job where id = c.call_id))
             and coalesce(j.charged * 1000000, 0) <> coalesce(c.credit + c.cash, 0)`,
  },
  {
    name: 'each refund of a charge was paid once, to the tree that had paid',
    sql: `select r.id as refund, r.charge_id, r.credit, r.cash, e.id as transfer, e.to_id as paid_to
            from (select charge_refund.*, root_id from charge_refund
                    join charge on charge.id = charge_id join agent on agent.id = agent_id) r
            full join (select * from ledger.transfer where kind = 'proxy.refund') e on e.ref = r.id
           where r.id is null or e.id is null or e.to_id <> r.root_id
              or (e.credit, e.cash) <> (r.credit, r.cash)`,
  },
  {
    name: 'each charge says what was given back of it',
    sql: `select c.id as charge, c.refunded_credit, c.refunded_cash, back.*
            from charge c
           cross join lateral (
             select coalesce(sum(credit), 0) as credit, coalesce(sum(cash), 0) as cash
               from charge_refund where charge_id = c.id) back
           where (c.refunded_credit, c.refunded_cash) <> (back.credit, back.cash)`,
  },
  {
    name: 'each sale of proxies was charged to its agent, for as many as were sold',
    sql: `select s.charge_id, s.agent_id, cardinality(s.proxy_ids) as sold, c.agent_id as charged,
                 c.service, c.units
            from proxy_sale s left join charge c on c.id = s.charge_id
           where (c.service, c.units, c.agent_id)
                 is distinct from ('proxy', cardinality(s.proxy_ids), s.agent_id)`,
  },
  {
    name: 'each proxy that was reported has given back what its report says',
    sql: `select coalesce(r.charge_id, b.charge_id) as charge, r.proxy_id, b.cause, r.credited,
                 b.credit + b.cash as given_back
            from proxy_report r
            full join (select * from charge_refund where cause like 'proxy:%') b
              on b.charge_id = r.charge_id and b.cause = 'proxy:' || r.proxy_id
           where coalesce(r.credited, 0) <> coalesce(b.credit + b.cash, 0)`,
  },
  {
    name: 'each order of single units has as many as it paid for',
    sql: `select o.id as order_id, o.quantity, count(s.id) as units
            from orders o join product p on p.id = o.product_id and p.stock_kind = 'serial_pool'
            left join stock s on s.order_id = o.id
           group by o.id
          having count(s.id) <> case when o.status = 'refunded' and o.revealed_at is null
                                     then 0 else o.quantity end`,
  },
  {
    name: 'each counted product has sold what it has no more',
    sql: `select p.id as product_id, p.listed, p.quantity, sold.units
            from product p left join (
              select product_id, sum(quantity) as units from orders
               where status <> 'refunded' or revealed_at is not null group by product_id) sold
              on sold.product_id = p.id
           where p.stock_kind = 'counted' and p.listed - p.quantity <> coalesce(sold.units, 0)`,
  },
  {
    name: 'each finished purchase has its order, each order a finished purchase',
    sql: `select coalesce(j.id, o.job_id) as job, o.id as order_id, j.status
            from (select * from job where operation = 'purchase_product' and status = 'complete') j
            full join orders o on o.job_id = j.id
           where j.id is null and exists (select from job where id = o.job_id) or o.id is null`,
  },
  {
    name: 'each root agent has its treasury, with the welcome credit given once at most',
    sql: `select a.id as agent, count(e.id) as welcomes
            from agent a left join ledger.treasury t on t.id = a.id
            left join ledger.transfer e on e.kind = 'welcome' and e.to_id = a.id
           where a.owner_id is null group by a.id, t.id
          having t.id is null or count(e.id) > 1`,
  },
  {
    name: 'what an agent spent today is what its tree below it paid',
    sql: `select s.agent_id, s.amount as counted, paid.amount as paid
            from spend s
           cross join lateral (
             select coalesce(sum(o.subtotal + o.fee - case
                      when (o.closed_at at time zone 'UTC')::date = s.day then o.refunded
                      else 0 end), 0) as amount
               from agent a join orders o on o.buyer_id = a.id
              where s.agent_id = any (a.lineage)
                and o.created_at >= s.day::timestamp at time zone 'UTC'
                and o.created_at < (s.day + 1)::timestamp at time zone 'UTC') ordered
           cross join lateral (
             select coalesce(sum(c.credit + c.cash - coalesce((
                      select sum(r.credit + r.cash) from charge_refund r
                       where r.charge_id = c.id
                         and (r.created_at at time zone 'UTC')::date = s.day), 0)), 0) as amount
               from agent a join charge c on c.agent_id = a.id
              where s.agent_id = any (a.lineage)
                and c.created_at >= s.day::timestamp at time zone 'UTC'
                and c.created_at < (s.day + 1)::timestamp at time zone 'UTC') charged
           cross join lateral (select ordered.amount + charged.amount as amount) paid
           where isfinite(s.day) and s.amount <> paid.amount`,
  },
];

/**
 * Every difference that the proofs find in one snapshot of the books. None: the books are right.
 */
export async function audit(database: DataSource): Promise<Difference[]> {
  return transact(
    database,
    async (db) => {
      await db.query('set local statement_timeout = 0'); // The books may be long.
      const differences: Difference[] = [];
      for (const { name, sql } of PROOFS) {
        const rows = await db.query(`select * from (${sql}) difference limit ${ROWS_MAX}`);
        for (const row of rows) differences.push({ proof: name, row });
      }
      return differences;
    },
    { readOnly: true },
  );
}
