-- The valid keys with these public ids. A function, because it keeps its plan.
create or replace function live_keys(p_public_ids text[])
returns table (public_id text, id bigint, agent_id bigint, scopes text[], hash bytea,
               pepper_id text, root_id bigint, inflow bigint)
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
  select k.public_id, k.id, k.agent_id, k.scopes, k.hash, k.pepper_id, k.root_id, tree.inflow
    from api_key k join ledger.treasury tree on tree.id = k.root_id
   where k.public_id = any (p_public_ids) and k.revoked_at is null
     and (k.expires_at is null or k.expires_at > now());
end $$;
