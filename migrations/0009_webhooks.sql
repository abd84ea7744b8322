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
  position        bigint not null, -- every event of its types up to here has a webhook_delivery
  -- for the audit: its types are the same since it was here
  types_from      bigint not null,
  -- after a round of which nothing arrived, nothing is sent until then
  not_before      timestamptz not null default '-infinity',
  failed_rounds   int not null default 0, -- since the last round of which something arrived
  failing_since   timestamptz, -- the first attempt that failed after the last that arrived
  last_delivery   timestamptz,
  last_fault      text,
  -- until then a worker sends; in the past: the end of the last round
  claimed_until   timestamptz not null default '-infinity',
  created_at      timestamptz not null default now(),
  constraint webhook_previous check ((previous_secret is null) = (previous_until is null))
) with (fillfactor = 70);
alter sequence webhook_id owned by webhook.id;
create index webhook_root on webhook (root_id, id); -- list_webhooks

-- An event for a webhook: it arrived, waits for its next attempt, or is given up. No reference to
-- the webhook: one with a million of them must be deleted at once. They are forgotten in time.
create table webhook_delivery (
  id           bigint generated always as identity primary key,
  webhook_id   bigint not null,
  event_id     bigint not null,
  status       text not null check (status in ('waiting', 'arrived', 'given_up')),
  attempts     smallint not null,
  attempted_at timestamptz, -- the last attempt
  http_status  smallint, -- what it was answered; null: nothing
  fault        text, -- why it did not arrive
  next_at      timestamptz,
  created_at   timestamptz not null default now(),
  constraint webhook_delivery_once unique (webhook_id, event_id), -- list_deliveries
  constraint webhook_delivery_next check ((next_at is not null) = (status = 'waiting'))
);
-- those that are due
create index webhook_delivery_due on webhook_delivery (webhook_id, next_at)
  where status = 'waiting';
