import type { Sabotage } from './sabotage.ts';

const SUMS = 'the daily sums of reports are what the transfers up to their watermark say';
const ACCOUNTS = 'what the platform holds is summed up as the transfers up to the watermark say';

const PAST = 'each past balance that is kept is what the transfers up to it left';

/** Sums up all transfers, with these changes: SQL of columns. */
const summedUp = ({ isSale = 'm.is_sale', amount = 't.credit + t.cash', where = 'true' } = {}) =>
  `insert into daily_money (root_id, is_sale, day, agent_id, category, product_id, amount, count)
   select coalesce(case when m.is_sale or m.is_back then t.to_root end, t.from_root), ${isSale},
          (t.created_at at time zone 'UTC')::date, m.agent_id, m.category, m.product_id,
          sum(case when m.is_back then -1 else 1 end * (${amount})),
          sum(case when m.is_back then 0 else 1 end)
     from ledger.transfer t cross join lateral movement_of(t.kind, t.ref) m
    where ${where} group by 1, 2, 3, 4, 5, 6;
   insert into account_sum select account, account_id, sum(credit), sum(cash) from (
     select from_account as account, from_id as account_id, -credit as credit, -cash as cash
       from ledger.transfer where from_root is null
     union all select to_account, to_id, credit, cash from ledger.transfer where to_root is null) t
    group by 1, 2;
   update money_watermark set id = (select max(id) from ledger.transfer);`;

/** Sabotages of the rows that reports are made from. */
export const REPORT_SABOTAGES: readonly Sabotage[] = [
  {
    proof: SUMS,
    what: 'a day of which too much was summed up',
    sql: `${summedUp()} update daily_money set amount = amount + 1
           where ctid = (select min(ctid) from daily_money);`,
  },
  {
    proof: SUMS,
    what: 'a sale that was counted twice',
    sql: `${summedUp()} update daily_money set count = count + 1
           where ctid = (select min(ctid) from daily_money where is_sale);`,
  },
  { proof: SUMS, what: 'sales as spends', sql: summedUp({ isSale: 'false' }) },
  { proof: SUMS, what: 'credit that was left out', sql: summedUp({ amount: 't.cash' }) },
  {
    proof: SUMS,
    what: 'a kind that was left out',
    sql: summedUp({ where: `t.kind <> 'task.release'` }),
  },
  {
    proof: SUMS,
    what: 'a watermark above what was summed up',
    sql: 'update money_watermark set id = 9000000000000;',
    also: [ACCOUNTS],
  },
  {
    proof: ACCOUNTS,
    what: 'fees that were counted twice',
    sql: `${summedUp()} update account_sum set cash = cash + 1 where account = 'revenue';`,
  },
  {
    proof: ACCOUNTS,
    what: 'an account that is not there',
    sql: `${summedUp()} delete from account_sum where account = 'expense';`,
  },
  {
    proof: PAST,
    what: 'a past balance that is another',
    sql: `insert into past_balance (root_id, transfer_id, balance)
          select from_id, id, 9000000000000 from ledger.transfer
           where from_account = 'treasury' limit 1`,
  },
  {
    proof: PAST,
    what: 'a past balance after a transfer of others',
    sql: `insert into past_balance (root_id, transfer_id, balance)
          select a.id, t.id, 0 from ledger.transfer t join agent a on a.id = a.root_id
           where t.from_account = 'treasury' and a.id not in (t.from_id, t.to_id) limit 1`,
  },
];
