-- Adds transfers to the sums of daily_money and account_sum, at most p_most ids of them, and keeps
-- past balances. rest: there are more.
--
-- Ids are not drawn in the order of commits, so it stops below the first id that may still come.
-- Every transaction has its number before it draws the id of a transfer, because it locks a
-- treasury or writes a row before. So all that had drawn an id up to `drawn` have a number below
-- that of a transaction which began after `drawn` was read: when those have ended, no transfer up
-- to it is missing. This transaction may have had its number for long, so the value that it reads
-- is used by the next one.
create or replace function roll_up_money(p_most bigint, out added int, out rest boolean)
language plpgsql as $$
declare
  v_mark   money_watermark;
  v_oldest xid8;
  v_from   bigint;
  v_to     bigint;
begin
  select * into v_mark from money_watermark for update;
  if v_mark.drawn_at < now() and v_mark.next_id <= v_mark.id then
    v_mark.next_id := v_mark.drawn;
    v_mark.next_tx := pg_current_xact_id();
  end if;
  v_oldest := pg_snapshot_xmin(pg_current_snapshot()); -- all transactions below it have ended
  v_from := v_mark.id;
  v_to := case when v_oldest >= v_mark.next_tx then least(v_mark.next_id, v_from + p_most)
               else v_from end;

  with moved as (
    select case when m.is_sale or m.is_back then t.to_id else t.from_id end as root_id, m.is_sale,
           (t.created_at at time zone 'UTC')::date as day, m.agent_id, m.category, m.product_id,
           case when m.is_back then -(t.credit + t.cash) else t.credit + t.cash end as amount,
           case when m.is_back then 0 else 1 end as count
      from ledger.transfer t cross join lateral movement_of(t.kind, t.ref) m
     where t.id > v_from and t.id <= v_to)
  insert into daily_money as kept
    (root_id, is_sale, day, agent_id, category, product_id, amount, count)
  select root_id, is_sale, day, agent_id, category, product_id, sum(amount), sum(count)
    from moved group by root_id, is_sale, day, agent_id, category, product_id
      on conflict on constraint daily_money_once
      do update set amount = kept.amount + excluded.amount, count = kept.count + excluded.count;
  get diagnostics added = row_count;

  insert into account_sum as kept (account, account_id, credit, cash)
  select account, account_id, sum(credit), sum(cash)
    from (select from_account as account, from_id as account_id, -credit as credit, -cash as cash
            from ledger.transfer where id > v_from and id <= v_to and from_root is null
          union all
          select to_account, to_id, credit, cash
            from ledger.transfer where id > v_from and id <= v_to and to_root is null) t
   group by account, account_id
      on conflict (account, account_id)
      do update set credit = kept.credit + excluded.credit, cash = kept.cash + excluded.cash;

  perform keep_past_balances(v_from, v_to);

  update money_watermark
     set id = v_to, next_id = v_mark.next_id, next_tx = v_mark.next_tx,
         drawn = (select case when is_called then last_value else 0 end from ledger.transfer_id),
         drawn_at = clock_timestamp();
  rest := v_to < v_mark.next_id and v_to > v_from;
end $$;
