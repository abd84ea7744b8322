-- The web session of this hash, unless it is over: an owner's after an hour without a request, an
-- operator's after half an hour. A function, because it keeps its plan.
create or replace function live_session(p_hash bytea)
returns table (id bigint, agent_id bigint, root_id bigint, username text, operator text,
               created_at timestamptz, is_fresh boolean,
               inflow bigint, ask_above bigint, shortcuts boolean, times text, theme text,
               reset_due_at timestamptz)
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
  select s.id, s.agent_id, s.root_id, a.username, s.operator, s.created_at,
         s.proved_at > now() - interval '10 minutes',
         coalesce(tree.inflow, 0), o.ask_above, o.shortcuts, o.times, o.theme, r.due_at
    from web_session s
    left join agent a on a.id = s.agent_id
    left join ledger.treasury tree on tree.id = s.root_id
    left join owner_setting o on o.agent_id = s.agent_id
    left join password_reset r on r.agent_id = s.agent_id and r.status = 'waiting'
   where s.hash = p_hash and s.ends_at > now()
     -- one that began while the account was closed
     and a.closed_at is null
     and s.seen_at > now() - case when s.operator is null then interval '1 hour'
                                  else interval '30 minutes' end;
end $$;
