import type { Proof } from '../ledger/proof.ts';
import { HELD } from './places/held.ts';

/** Proofs that charges, their refunds and the daily spend agree with the ledger. */
export const walletProofs: readonly Proof[] = [
  {
    name: 'each charge was paid once, in full, by the tree of its agent',
    sql: `select c.id as charge, c.service, c.credit, c.cash, e.id as transfer, e.from_id as paid_by
            from charge c
            full join (select * from ledger.transfer
                        where kind in ('proxy.charge', 'email.charge', 'token.charge')) e
              on e.ref = c.id and e.kind::text = c.service || '.charge'
           where c.id is null or e.id is null or e.from_id <> c.root_id
              or (e.credit, e.cash) <> (c.credit, c.cash)`,
  },
  {
    name: 'each refund of a charge was paid once, to the tree that had paid',
    sql: `select r.id as refund, r.charge_id, r.credit, r.cash, e.id as transfer, e.to_id as paid_to
            from (select charge_refund.*, root_id, service from charge_refund
                    join charge on charge.id = charge_id) r
            full join (select * from ledger.transfer
                        where kind in ('proxy.refund', 'email.refund', 'token.refund')) e
              on e.ref = r.id and e.kind::text = r.service || '.refund'
           where r.id is null or e.id is null or e.to_id <> r.root_id
              or (e.credit, e.cash) <> (r.credit, r.cash)`,
  },
  {
    name: 'each charge says what was given back of it',
    sql: `select c.id as charge, c.refunded_credit, c.refunded_cash, back.credit, back.cash
            from charge c
            left join (select charge_id, sum(credit) as credit, sum(cash) as cash
                         from charge_refund group by 1) back on back.charge_id = c.id
           where (c.refunded_credit, c.refunded_cash)
              <> (coalesce(back.credit, 0), coalesce(back.cash, 0))`,
  },
  {
    // Only days whose row still exists: past_spend keeps 90 days.
    name: 'what an agent spent on each day is what its tree below it paid',
    sql: `select agent_id, day, counted.amount as counted, paid.amount as paid
            from (select l.id as agent_id, p.day, sum(p.amount) as amount
                    from (select buyer_id as agent_id, spent_on as day,
                                 subtotal + fee - refunded as amount from orders
                          union all
                          select poster_id, spent_on,
                                 case when closed_at is null then budget else paid end from task
                          union all
                          select poster_id, spent_on,
                                 case when closed_at is null then budget else paid end
                            from labor_task
                          union all
                          select agent_id, spent_on, amount from withdrawal
                           where status not in ('failed', 'cancelled')
                          union all
                          select agent_id, spent_on,
                                 credit + cash - refunded_credit - refunded_cash from charge) p
                    join agent a on a.id = p.agent_id cross join unnest(a.lineage) as l(id)
                   group by 1, 2) paid
            full join (select agent_id, day, amount from spend
                       union all
                       select agent_id, day, amount from past_spend) counted
           using (agent_id, day)
           where coalesce(counted.amount, 0) <> coalesce(paid.amount, 0)
             and day > current_date - 80`,
  },
  {
    name: 'what is listed as held of each tree is what its escrows hold',
    sql: `select root_id, listed.amount as listed, held.amount as held
            from (select root_id, sum(amount) as amount from (${HELD}) h group by 1) listed
            full join (select id as root_id, escrow_credit + escrow_cash as amount
                         from ledger.treasury) held
           using (root_id)
           where coalesce(listed.amount, 0) <> coalesce(held.amount, 0)`,
  },
  {
    name: 'each goodwill credit was paid once, as credit, to the tree of its agent',
    sql: `select g.id as goodwill, g.root_id, g.amount, e.id as transfer, e.to_id as paid_to
            from goodwill g
            full join (select * from ledger.transfer where kind = 'goodwill') e on e.ref = g.id
           where g.id is null or e.id is null or e.to_id <> g.root_id
              or (e.credit, e.cash) <> (g.amount, 0)`,
  },
  {
    name: 'the goodwill of each day is what was counted for its limit',
    sql: `select given.day, given.amount, goodwill_day.granted
            from (select (created_at at time zone 'UTC')::date as day, sum(amount) as amount
                    from goodwill group by 1) given
            full join goodwill_day using (day)
           where coalesce(given.amount, 0) <> coalesce(goodwill_day.granted, 0)`,
  },
  {
    name: 'each goodwill credit is in the audit log, as of the same moment',
    sql: `select g.id as goodwill, g.agent_id, g.operator
            from goodwill g
           where not exists (
             select from audit_log l
              where l.object_kind = 'agent' and l.object_id = g.agent_id::text
                and l.operator = g.operator and l.operation = 'give_goodwill'
                and l.error is null and l.created_at = g.created_at
                and l.input->>'reference' = g.reference)`,
  },
  {
    // Computed from the accounts, not by the function under test.
    name: 'the daily sums of reports are what the transfers up to their watermark say',
    sql: `select root_id, day, is_sale, kept.amount, kept.count, moved.amount as moved,
                 moved.count as transfers
            from (select root_id, day, is_sale, sum(amount) as amount, sum(count) as count
                    from daily_money group by 1, 2, 3) kept
            full join (
              select root_id, (created_at at time zone 'UTC')::date as day, is_sale,
                     sum(amount) as amount, sum(count) as count
                from (select from_id as root_id, id, created_at, false as is_sale,
                             credit + cash as amount, 1 as count from ledger.transfer
                       where from_account = 'treasury' and to_account in ('escrow', 'revenue')
                      union all
                      select to_id, id, created_at, kind like '%.release',
                             case when kind like '%.release' then 1 else -1 end * (credit + cash),
                             case when kind like '%.release' then 1 else 0 end from ledger.transfer
                       where to_account = 'treasury' and from_account in ('escrow', 'revenue')) t
               where id <= (select id from money_watermark) group by 1, 2, 3) moved
           using (root_id, day, is_sale)
           where (coalesce(kept.amount, 0), coalesce(kept.count, 0))
              <> (coalesce(moved.amount, 0), coalesce(moved.count, 0))`,
  },
  {
    name: 'what the platform holds is summed up as the transfers up to the watermark say',
    sql: `select account, account_id, kept.credit, kept.cash, moved.credit as moved_credit,
                 moved.cash as moved_cash
            from account_sum kept
            full join (
              select account, account_id, sum(credit) as credit, sum(cash) as cash
                from (select id, from_account as account, from_id as account_id,
                             -credit as credit, -cash as cash from ledger.transfer
                      union all
                      select id, to_account, to_id, credit, cash from ledger.transfer) t
               where account in ('asset', 'revenue', 'expense', 'equity', 'unclaimed')
                 and id <= (select id from money_watermark)
               group by 1, 2) moved
           using (account, account_id)
           where (coalesce(kept.credit, 0), coalesce(kept.cash, 0))
              <> (coalesce(moved.credit, 0), coalesce(moved.cash, 0))`,
  },
  {
    name: 'each past balance that is kept is what the transfers up to it left',
    sql: `select root_id, transfer_id, kept.balance, moved.balance as moved
            from past_balance kept
            left join (
              select root_id, transfer_id,
                     sum(amount) over (partition by root_id order by transfer_id) as balance
                from (select from_id as root_id, id as transfer_id, -(credit + cash) as amount
                        from ledger.transfer where from_account = 'treasury'
                      union all
                      select to_id, id, credit + cash
                        from ledger.transfer where to_account = 'treasury') t) moved
           using (root_id, transfer_id)
           where kept.balance is distinct from moved.balance`,
  },
];
