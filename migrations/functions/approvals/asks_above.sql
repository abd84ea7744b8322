-- The amount above which the policy of one agent asks an owner before this spend; null: it does not
-- ask. p_job is the call that spends: a call that was approved by somebody who may decide for this
-- policy is not asked about again, unless it costs more than was approved. p_seller is null for a
-- spend without a seller. Callers check first whether the amount may need an approval at all: this
-- function costs more than all other limits.
create or replace function asks_above(
  p_policy policy, p_amount bigint, p_job uuid, p_buyer bigint, p_seller bigint
) returns bigint language plpgsql stable as $$
declare
  v_above bigint := p_policy.approval_threshold;
begin
  -- The orders of the buyer are looked at last, because they may be many rows.
  if p_policy.governance_level <> 'low' and p_seller is not null
     and p_amount > p_policy.new_seller_threshold
     and p_policy.new_seller_threshold < coalesce(v_above, 9223372036854775807)
     and not exists (select from orders where buyer_id = p_buyer and seller_id = p_seller) then
    v_above := p_policy.new_seller_threshold;
  end if;
  if p_policy.governance_level = 'high' and exists (
       select from anomaly where agent_id = p_buyer and found_at > now() - interval '1 day') then
    v_above := 0;
  end if;
  if p_amount > v_above and exists (
       select from approval
        where job_id = p_job and status = 'approved' and amount >= p_amount
          and policy_of = any (select unnest(lineage) from agent where id = p_policy.agent_id)) then
    return null;
  end if;
  return v_above;
end $$;
