-- Subtracts refunds from what their agents, and all above them, have spent on the day of the spend,
-- and on no other. That day may be over for some of them, and not for others. The caller has locked
-- the treasuries of their trees.
create or replace function uncount_spends(p_agents bigint[], p_days date[], p_amounts bigint[])
returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  with refunded as materialized (
    select member.id, u.day, sum(u.amount)::bigint as amount
      from unnest(p_agents, p_days, p_amounts) as u(agent, day, amount)
      join agent on agent.id = u.agent cross join lateral unnest(agent.lineage) as member(id)
     group by member.id, u.day),
  past as (
    update past_spend p set amount = greatest(0, p.amount - refunded.amount)
      from refunded where p.agent_id = refunded.id and p.day = refunded.day)
  update spend set amount = greatest(0, spend.amount - refunded.amount)
    from refunded where spend.agent_id = refunded.id and spend.day = refunded.day;
end $$;
