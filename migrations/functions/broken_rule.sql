-- The first rule of one agent that a spend breaks, in the order in which callers are told, or null.
-- p_spent is today's spending of the agent and those below it, this spend included. p_asks_above is
-- the result of asks_above. Having to ask an owner breaks no rule, but it must be done first.
-- p_buyers is the number of established buyers of the seller, where a policy needs it.
create or replace function broken_rule(
  p_status text, p_policy policy, p_type text, p_amount bigint, p_spent numeric,
  p_asks_above bigint, p_buyers int
) returns text language sql immutable as $$
  select case
    when p_status <> 'active' then 'suspended'
    when p_type <> all (p_policy.allowed_product_types)
     and cardinality(p_policy.allowed_product_types) > 0 then 'allowed_product_types'
    when p_buyers < p_policy.min_seller_buyers then 'min_seller_buyers'
    when p_amount > p_policy.max_spend_per_tx then 'max_spend_per_tx'
    when p_spent > p_policy.daily_spend_limit then 'daily_spend_limit'
    when p_amount > p_asks_above then 'approval' end
$$;
