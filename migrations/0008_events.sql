-- What happened, written in the transaction in which it happened. Its id is drawn while the object
-- is locked, so the events of one object are in the order in which they happened.
create sequence event_id;
create table event (
  -- A transaction has its number before it draws an id: move_event_watermark relies on it.
  id          bigint primary key
    default case when pg_current_xact_id() is not null then nextval('event_id') end,
  agent_id    bigint not null, -- the agent that it concerns
  root_id     bigint not null,
  type        text not null,
  object_kind text not null,
  object_id   bigint not null,
  status      text not null,
  data        jsonb not null,
  occurred_at timestamptz not null default now()
);
alter sequence event_id owned by event.id;
create index event_tree on event (root_id, id); -- a root reads those of its tree, in order
-- a child reads its own
create index event_child on event (agent_id, id) where agent_id <> root_id;

-- The highest tier of a tree that an event has announced; no row: free.
create table announced_tier (
  root_id      bigint primary key references agent,
  tier         text not null check (tier in ('basic', 'pro')),
  announced_at timestamptz not null default now()
);

-- Up to id no event is missing, and none will come. The rest is for move_event_watermark.
create table event_watermark (
  id       bigint not null check (id >= 0),
  -- when each transaction below next_tx has ended, the watermark may move to next_id
  next_id  bigint not null,
  next_tx  xid8 not null
) with (fillfactor = 20); -- all its updates are HOT
insert into event_watermark (id, next_id, next_tx) values (0, 0, '0');
create unique index event_watermark_once on event_watermark ((true)); -- one row
