-- The result of the policies of an agent and of those above it for spends: one row for each spend
-- of a list and each agent of its lineage, the nearest first. `broken` is the first rule of that
-- agent that the spend breaks, in the order in which callers are told, or null. The spends before
-- it in the list count as spent too, so a spend may break a limit here that it would keep alone.
-- Every spend is checked here; shared/domains/wallet/policy.ts explains it. p_jobs and p_sellers
-- are for asks_above. p_today is the UTC day: a caller that counts a spend to a day that it has
-- read passes that day, in case midnight is in between.
-- force_generic_plan: planning this statement costs more than running it.
create or replace function policy_checks(
  p_agents bigint[], p_amounts bigint[], p_types text[], p_jobs uuid[], p_sellers bigint[],
  p_today date default null
) returns table (spend bigint, agent_id bigint, broken text, max_spend_per_tx bigint,
               daily_spend_limit bigint, approval_threshold bigint, new_seller_threshold bigint,
               asks_above bigint, allowed_product_types text[], spent_today bigint,
               min_seller_buyers int, seller_buyers int)
language plpgsql stable rows 64 set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_today date := coalesce(p_today, (clock_timestamp() at time zone 'UTC')::date);
begin
  return query
  select c.n, c.member_id,
         broken_rule(c.status, c.policy, c.type, c.amount,
                     c.spent + sum(c.amount) over (partition by c.member_id order by c.n),
                     c.asks_above, c.buyers),
         (c.policy).max_spend_per_tx, (c.policy).daily_spend_limit, (c.policy).approval_threshold,
         (c.policy).new_seller_threshold, c.asks_above,
         coalesce((c.policy).allowed_product_types, '{}'), c.spent,
         (c.policy).min_seller_buyers, c.buyers
    from (
      select s.n, s.amount, s.type, l.depth, member.id as member_id, member.status, policy,
             case when spend.day = greatest(root.day, v_today) then spend.amount else 0 end
               as spent,
             case when s.amount > policy.approval_threshold or policy.governance_level = 'high'
                    or policy.governance_level = 'medium' and s.amount > policy.new_seller_threshold
                  then asks_above(policy, s.amount, s.job, s.agent, s.seller) end as asks_above,
             case when policy.min_seller_buyers > 0 then established_buyers(s.seller) end
               as buyers
        from unnest(p_agents, p_amounts, p_types, p_jobs, p_sellers) with ordinality
               as s(agent, amount, type, job, seller, n)
        join agent on agent.id = s.agent
        join spend root on root.agent_id = agent.root_id
       cross join lateral unnest(agent.lineage) with ordinality as l(id, depth)
        join agent member on member.id = l.id
        join spend on spend.agent_id = member.id
        left join policy on policy.agent_id = member.id) c
   order by c.n, c.depth desc;
end $$;
