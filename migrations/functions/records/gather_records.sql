-- Adds the deals that were settled by the transfers between two ids to the records. One transaction
-- at a time: the caller holds the row of record_watermark. Answers the number of records changed.
create or replace function gather_records(p_after bigint, p_to bigint) returns int
language plpgsql as $$
declare
  v_owing   bigint[];
  v_changed int;
begin
  -- Trees whose debts changed. What they counted for is counted again below.
  with moved as (
    select coalesce(from_root, to_root) as root_id,
           sum(case when from_account = 'receivable' then cash else -cash end)::bigint as owed
      from ledger.transfer
     where id > p_after and id <= p_to
       and 'receivable' in (from_account, to_account)
     group by 1),
  debt as (
    insert into record_debt (root_id, owed)
    select root_id, moved.owed + coalesce(kept.owed, 0)
      from moved left join record_debt kept using (root_id)
        on conflict (root_id) do update set owed = excluded.owed
    returning root_id)
  select coalesce(array_agg(root_id), '{}') into v_owing from debt;

  with part as materialized (
    select * from pairs_between(p_after, p_to)
    union all
    select p.agent_id, p.role, p.other_root, 0, 0, 0, 0, 0, 0, 0, 0, p.last_at from record_pair p
     where p.role = 'seller' and p.fees > 0 and p.other_root = any (v_owing)),
  added as (
    select agent_id, role, other_root, sum(settled)::int as settled, sum(amount)::bigint as amount,
           sum(fees)::bigint as fees, sum(gain) as gain, sum(loss) as loss,
           sum(refunded)::int as refunded, sum(disputed)::int as disputed,
           sum(disputes_lost)::int as disputes_lost, max(last_at) as last_at
      from part group by 1, 2, 3),
  old as (
    select p.* from record_pair p join added using (agent_id, role, other_root)),
  new as (
    insert into record_pair as kept
      (agent_id, role, other_root, settled, amount, fees, gain, loss, refunded, disputed,
       disputes_lost, counts, last_at)
    select agent_id, role, other_root, settled, amount, fees, gain, loss, refunded, disputed,
           disputes_lost, pair_counts(fees, other_root), last_at from added
        on conflict (agent_id, role, other_root) do update
           set settled = kept.settled + excluded.settled, amount = kept.amount + excluded.amount,
               fees = kept.fees + excluded.fees, gain = kept.gain + excluded.gain,
               loss = kept.loss + excluded.loss, refunded = kept.refunded + excluded.refunded,
               disputed = kept.disputed + excluded.disputed,
               disputes_lost = kept.disputes_lost + excluded.disputes_lost,
               counts = pair_counts(kept.fees + excluded.fees, kept.other_root),
               last_at = greatest(kept.last_at, excluded.last_at)
    returning *),
  change as (
    select 1 as sign, new.* from new union all select -1, old.* from old)
  insert into agent_record as kept
    (agent_id, role, settled, counterparties, established, amount, fees, gain, loss, refunded,
     disputed, disputes_lost, last_at)
  select agent_id, role, sum(sign * settled), sum(sign), sum(case when counts then sign else 0 end),
         sum(sign * amount), sum(sign * fees), sum(case when counts then sign * gain else 0 end),
         sum(sign * loss), sum(sign * refunded), sum(sign * disputed), sum(sign * disputes_lost),
         max(last_at)
    from change group by agent_id, role
      on conflict (agent_id, role) do update
         set settled = kept.settled + excluded.settled,
             counterparties = kept.counterparties + excluded.counterparties,
             established = kept.established + excluded.established,
             amount = kept.amount + excluded.amount, fees = kept.fees + excluded.fees,
             gain = kept.gain + excluded.gain, loss = kept.loss + excluded.loss,
             refunded = kept.refunded + excluded.refunded,
             disputed = kept.disputed + excluded.disputed,
             disputes_lost = kept.disputes_lost + excluded.disputes_lost,
             last_at = greatest(kept.last_at, excluded.last_at);
  get diagnostics v_changed = row_count;
  return v_changed;
end $$;
