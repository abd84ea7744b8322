-- Notifies an agent of the end of a call for which it no longer waits.
create or replace function tell_job_end() returns trigger language plpgsql as $$
begin
  insert into event (agent_id, root_id, type, object_kind, object_id, status, data)
  select agent.id, agent.root_id,
         case new.status when 'complete' then 'job.completed' else 'job.failed' end,
         'agent', agent.id, agent.status,
         jsonb_strip_nulls(jsonb_build_object(
           'job_id', new.id, 'operation', new.operation,
           'reason', case new.status when 'failed' then new.answer ->> 'error' end))
    from agent where agent.id = new.agent_id;
  return null;
end $$;
