-- Callers that do not wait any more are told of the end of their jobs, by an event.
alter table job add column tell_after timestamptz; -- when nobody waits for it; null: nobody called

\ir functions/jobs/tell_job_end.sql
-- The when clause spares all others the call.
create trigger job_end_is_told after update on job
  for each row
  when (old.status = 'pending' and new.status <> 'pending' and new.tell_after < clock_timestamp())
  execute function tell_job_end();
