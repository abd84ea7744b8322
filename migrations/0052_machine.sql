-- The machine as operators see it: the processes that run, and each minute of the last two days.

-- A row of each process, written by itself every few seconds and deleted when it ends. A row that
-- is not written any more belongs to a process that was killed.
create table process (
  id          uuid primary key, -- UUIDv7: those that began first come first
  role        text not null check (role in ('api', 'worker', 'socks')),
  host        text not null,
  pid         int not null,
  release     text not null, -- the setting RELEASE, or the folder of the program
  started_at  timestamptz not null,
  seen_at     timestamptz not null default now(),
  memory_mb   int not null,
  cpu_percent int not null, -- of one core, since the row was written before
  -- of a worker: its queues as Redis counts them, [{queue, waiting, active, latency_ms}]
  queues      jsonb not null
) with (fillfactor = 50);

-- What all processes counted in a minute.
create table machine_minute (
  at           timestamptz primary key,
  calls        bigint not null, -- answered by API processes
  faults       bigint not null, -- of these, with a status of 500 or more
  -- calls by time: up to 1 ms, 2.5 ms … 30 s, and above
  call_times   bigint[] not null check (cardinality(call_times) = 13),
  jobs         bigint not null, -- taken by workers
  job_faults   bigint not null, -- attempts that failed
  waiting      int not null, -- most jobs that were due at a moment of it
  wait_seconds double precision not null -- the longest that one of them had waited
) with (fillfactor = 50);

-- Links of `npm start` by which an operator signed in, hashed: each is used once.
create table start_link (
  id      bigint generated always as identity primary key,
  hash    bytea not null unique check (length(hash) = 32),
  used_at timestamptz not null default now()
);
