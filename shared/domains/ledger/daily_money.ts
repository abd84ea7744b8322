/**
 * SQL: spending or earnings of a tree since a day, in parts: the stored sums (`daily_money`) and
 * each newer transfer. Together they equal the sum of its transfers in this snapshot.
 */
export const dailyMoney = (of: { root: string; isSale: string; since: string }): string => `
  select day, agent_id, category, product_id, amount, count from daily_money
   where root_id = ${of.root} and is_sale = ${of.isSale} and day >= ${of.since}::date
  union all
  select * from (
    select (t.created_at at time zone 'UTC')::date as day, m.agent_id, m.category, m.product_id,
           case when m.is_back then -(t.credit + t.cash) else t.credit + t.cash end as amount,
           case when m.is_back then 0 else 1 end as count
      from (select * from ledger.transfer
             where from_account = 'treasury' and from_id = ${of.root}
               and id > (select id from money_watermark)
            union all
            select * from ledger.transfer
             where to_account = 'treasury' and to_id = ${of.root}
               and id > (select id from money_watermark)) t
     cross join lateral movement_of(t.kind, t.ref) m
     where m.is_sale = ${of.isSale}) newer
   where day >= ${of.since}::date`;
