-- One recorded call. The row is the idempotency record, the outbox and the answer to polling; Redis
-- only carries its id. Ids are UUIDv7, so the primary key is the order of arrival.

create table job (
  id          uuid primary key,
  operation   text not null,
  agent_id    bigint not null, -- 0: the platform itself
  root_id     bigint not null, -- the agent's tree; 0: the platform
  key         text, -- the caller's Idempotency-Key
  -- what started it, when no caller did: `<key>/<operation>/<n>` or `<operation>:<period>`
  cause       text,
  input       jsonb not null,
  input_hash  bytea not null,
  request_id  text not null,
  run_at      timestamptz, -- null: at once
  created_at  timestamptz not null default now(),
  status      text not null default 'pending' check (status in ('pending', 'complete', 'failed')),
  http_status smallint,
  answer      json, -- json, not jsonb: it keeps the very bytes of the first answer
  progress    jsonb,
  attempts    smallint not null default 0, -- attempts after the first that a worker has begun
  -- the dispatcher leaves it alone until then; null: until jobs that came with it are done
  push_after  timestamptz,
  fault       text, -- what went wrong last, for the operator
  operator    text, -- the name of the operator who called; null: nobody, or an agent
  finished_at timestamptz,
  -- A call that somebody else must allow first: the body of its 202, and the input of a write,
  -- sealed. While deferral is set, run_at and push_after are infinity: no worker takes it.
  deferral     json,
  sealed_input bytea,
  constraint job_finished check
    ((status = 'pending') = (finished_at is null) and (status = 'pending') = (http_status is null))
-- room for HOT: no index below has a column or a predicate that finishing changes
) with (fillfactor = 50);

create unique index job_key on job (agent_id, key) where key is not null; -- a key means one call
create unique index job_cause on job (cause) where cause is not null; -- a cause starts one job
-- delayed jobs, scanned from a watermark
create index job_due on job (run_at, id) where run_at is not null;

-- The when clause spares the first write the call.
\ir functions/jobs/job_is_final.sql
create trigger job_is_final before update on job
  for each row when (old.status <> 'pending') execute function job_is_final();

-- How far the dispatcher's two scans have come: no row below a watermark is pending.
create table dispatch_watermark (
  scan  text primary key check (scan in ('immediate', 'delayed')),
  id    uuid,
  at    timestamptz
);
insert into dispatch_watermark (scan, id, at) values
  ('immediate', '00000000-0000-0000-0000-000000000000', null), ('delayed', null, '-infinity');

-- Rows that a timer could not process while it processed others (shared/jobs/sweep.ts).
create table sweep_fault (
  id              bigint generated always as identity primary key,
  operation       text not null, -- the timer
  row_id          bigint not null,
  attempts        smallint not null default 1,
  fault           text not null,
  first_failed_at timestamptz not null default now(),
  failed_at       timestamptz not null default now(),
  next_at         timestamptz not null, -- it is left alone until then
  constraint sweep_fault_once unique (operation, row_id)
);
