-- Where the events of a tree of agents are sent, and which of them wait for another attempt.
create sequence webhook_id;
create table webhook (
  id              bigint primary key default nextval('webhook_id'),
  root_id         bigint not null references agent,
  url             text not null,
  description     text not null,
  types           text[] not null, -- order.created, order.*; empty: all
  status          text not null default 'active' check (status in ('active', 'disabled')),
  secret          bytea not null, -- sealed; what messages are signed with
  -- sealed: the secret before it, which signs too until then
  previous_secret bytea,
  previous_until  timestamptz,
  position        bigint not null, -- every event up to here was sent, or is in webhook_retry
  -- after a round of which nothing arrived, nothing is sent until then
  not_before      timestamptz not null default '-infinity',
  failed_rounds   int not null default 0, -- since the last round of which something arrived
  failing_since   timestamptz, -- the first attempt that failed after the last that arrived
  last_delivery   timestamptz,
  last_fault      text,
  claimed_until   timestamptz not null default '-infinity', -- a job is sending
  created_at      timestamptz not null default now(),
  constraint webhook_previous check ((previous_secret is null) = (previous_until is null))
) with (fillfactor = 70);
alter sequence webhook_id owned by webhook.id;
create index webhook_root on webhook (root_id, id); -- list_webhooks

-- An event that did not arrive, or is to be sent again.
create table webhook_retry (
  id         bigint generated always as identity primary key,
  webhook_id bigint not null references webhook on delete cascade,
  event_id   bigint not null,
  attempts   smallint not null,
  next_at    timestamptz not null,
  created_at timestamptz not null default now(),
  constraint webhook_retry_once unique (webhook_id, event_id)
);
create index webhook_retry_due on webhook_retry (webhook_id, next_at); -- those that are due
