import type { Proof } from './proof.ts';

/** Proofs about the ledger alone. */
export const ledgerProofs: readonly Proof[] = [
  {
    name: 'the trial balance is zero in each sort of funds',
    sql: `select funds, sum(amount) as difference from ledger.balance_change
           group by funds having sum(amount) <> 0`,
  },
  {
    name: 'each treasury holds what its transfers say',
    // A full join, because PostgreSQL takes the many trees of this sum for a few, and would read it
    // again for each treasury.
    sql: `select id as treasury, t.credit, t.cash, p.credit as credit_by_transfers,
                 p.cash as cash_by_transfers
            from ledger.treasury t
            full join (
              select id, sum(credit) as credit, sum(cash) as cash
                from (select from_id as id, -credit as credit, -cash as cash
                        from ledger.transfer where from_account = 'treasury'
                      union all
                      select to_id, credit, cash
                        from ledger.transfer where to_account = 'treasury') moved
               group by 1) p using (id)
           where (coalesce(t.credit, 0), coalesce(t.cash, 0))
              <> (coalesce(p.credit, 0), coalesce(p.cash, 0))`,
  },
  {
    name: 'each treasury counts the cash that has come in to stay',
    sql: `select t.id as treasury, t.inflow, p.inflow as inflow_by_transfers
            from ledger.treasury t
            left join (
              select case to_account when 'asset' then from_root else to_root end as root,
                     sum(case to_account when 'asset' then -cash else cash end) as inflow
                from ledger.transfer join ledger.route using (kind, from_account, to_account)
               where settles and to_account in ('treasury', 'asset') group by 1) p
              on p.root = t.id
           where t.inflow <> coalesce(p.inflow, 0)`,
  },
  {
    name: 'each treasury owes what its account receivable lacks',
    sql: `select t.id as treasury, t.owed, p.owed as owed_by_transfers
            from ledger.treasury t
            left join (
              select id, sum(owed) as owed
                from (select from_id as id, credit + cash as owed
                        from ledger.transfer where from_account = 'receivable'
                      union all
                      select to_id, -credit - cash
                        from ledger.transfer where to_account = 'receivable') moved
               group by 1) p on p.id = t.id
           where t.owed <> coalesce(p.owed, 0)`,
  },
  {
    name: 'each treasury counts what the escrows hold that it filled',
    sql: `select t.id as treasury, t.escrow_credit, t.escrow_cash, e.credit as credit_held,
                 e.cash as cash_held
            from ledger.treasury t left join (
              select root, sum(credit) as credit, sum(cash) as cash
                from ledger.escrow group by root) e on e.root = t.id
           where (t.escrow_credit, t.escrow_cash) <> (coalesce(e.credit, 0), coalesce(e.cash, 0))`,
  },
  {
    name: 'no escrow has paid out more than it held',
    sql: `select id, kind, ref, credit, cash from ledger.escrow where credit < 0 or cash < 0`,
  },
];
