-- Records calls as record_jobs does, with the spans that they came from. A function of its own: it
-- runs only where traces are exported, and programs of the release before call the other one.
create or replace function record_traced_jobs(
  p_ids uuid[], p_operations text[], p_agents bigint[], p_roots bigint[], p_keys text[],
  p_causes text[], p_inputs jsonb[], p_hashes bytea[], p_requests text[], p_run_at timestamptz[],
  p_operators text[], p_tell_after timestamptz[], p_traces bytea[]
) returns setof uuid language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_recorded uuid[] := array(select record_jobs(
    p_ids, p_operations, p_agents, p_roots, p_keys, p_causes, p_inputs, p_hashes, p_requests,
    p_run_at, p_operators, p_tell_after));
begin
  update job set trace = u.trace
    from unnest(p_ids, p_traces) as u(id, trace)
   where job.id = u.id and u.id = any (v_recorded) and u.trace is not null;
  return query select unnest(v_recorded);
end $$;
