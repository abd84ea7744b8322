-- Records calls in the order of their keys, or two batches that share some would deadlock. Rows
-- whose key or cause is taken are left out: that call was recorded before. An id holds its time of
-- making. A row that arrives more than two seconds later, or whose id is below the dispatcher's
-- watermark (shared/jobs/due_at.ts), is found by run_at instead.
create or replace function record_jobs(
  p_ids uuid[], p_operations text[], p_agents bigint[], p_roots bigint[], p_keys text[],
  p_causes text[], p_inputs jsonb[], p_hashes bytea[], p_requests text[], p_run_at timestamptz[],
  p_operators text[], p_tell_after timestamptz[]
) returns setof uuid language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_now timestamptz := greatest(
    now(), (select at from dispatch_watermark where scan = 'delayed'));
  v_oldest uuid := greatest(
    (lpad(to_hex((extract(epoch from now()) * 1000)::bigint - 2000), 12, '0')
     || '70008000000000000000')::uuid,
    (select id from dispatch_watermark where scan = 'immediate'));
begin
  return query
  insert into job (id, operation, agent_id, root_id, key, cause, input, input_hash, request_id,
                   run_at, operator, tell_after)
  select u.id, u.operation, u.agent, u.root, u.key, u.cause, u.input, u.hash, u.request,
         case when u.run_at is not null then greatest(u.run_at, v_now)
              when u.id < v_oldest then v_now end,
         u.operator, u.tell_after
    from unnest(p_ids, p_operations, p_agents, p_roots, p_keys, p_causes, p_inputs, p_hashes,
                p_requests, p_run_at, p_operators, p_tell_after)
      as u(id, operation, agent, root, key, cause, input, hash, request, run_at, operator,
           tell_after)
   order by u.agent, u.key, u.cause
  on conflict do nothing returning id;
end $$;
