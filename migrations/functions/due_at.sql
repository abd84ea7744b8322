-- The run_at of a job that is due in so long. Never below the watermark of the delayed jobs, which
-- is ahead of the clock when another server, whose clock is behind, has become the primary: the
-- dispatcher looks at nothing below it. The job is late then, and not lost.
create or replace function due_at(p_delay interval) returns timestamptz language sql stable as $$
  select greatest(now() + p_delay, (select at from dispatch_watermark where scan = 'delayed'))
$$;
