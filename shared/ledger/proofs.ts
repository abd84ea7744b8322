import type { Proof } from './proof.ts';

/** What must be true of the ledger by itself. */
export const ledgerProofs: readonly Proof[] = [
  {
    name: 'the trial balance is zero in each sort of funds',
    sql: `select funds, sum(amount) as difference from ledger.balance_change
           group by funds having sum(amount) <> 0`,
  },
  {
    name: 'each treasury holds what its transfers say',
    sql: `select t.id as treasury, t.credit, t.cash, p.credit as credit_by_transfers,
                 p.cash as cash_by_transfers
            from ledger.treasury t
           cross join lateral (
             select coalesce(sum(amount) filter (where funds = 'credit'), 0) as credit,
                    coalesce(sum(amount) filter (where funds = 'cash'), 0) as cash
               from ledger.balance_change where account = 'treasury' and account_id = t.id) p
           where (t.credit, t.cash) <> (p.credit, p.cash)`,
  },
  {
    name: 'each treasury counts the cash that has come in to stay',
    sql: `select t.id as treasury, t.inflow, p.inflow as inflow_by_transfers
            from ledger.treasury t
           cross join lateral (
             select coalesce(sum(case to_account when 'asset' then -cash else cash end), 0)
                      as inflow
               from ledger.transfer join ledger.route using (kind, from_account, to_account)
              where settles and (to_account = 'treasury' and transfer.to_id = t.id
                                 or to_account = 'asset' and transfer.from_root = t.id)) p
           where t.inflow <> p.inflow`,
  },
  {
    name: 'each treasury owes what its account receivable lacks',
    sql: `select t.id as treasury, t.owed, p.owed as owed_by_transfers
            from ledger.treasury t
            left join (select account_id, -sum(amount) as owed from ledger.balance_change
                        where account = 'receivable' group by 1) p on p.account_id = t.id
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
