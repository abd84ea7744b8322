-- What happened, written in the transaction in which it happened; readers stop below the oldest
-- running transaction (tx).
create table event (
  id          bigint generated always as identity primary key,
  agent_id    bigint not null, -- the agent that it concerns
  root_id     bigint not null,
  type        text not null,
  object_kind text not null,
  object_id   bigint not null,
  status      text not null,
  data        jsonb not null,
  occurred_at timestamptz not null default now(),
  tx          xid8 not null default pg_current_xact_id()
);
create index event_agent on event (agent_id, id); -- an agent reads its own, in order
