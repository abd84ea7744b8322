-- Owners who are mailed a summary, and what is watched for owners.

create table digest (
  agent_id bigint primary key references agent,
  every    text not null check (every in ('day', 'week')),
  next_at  timestamptz not null -- the period ends with the UTC day before
);
create index digest_due on digest (next_at); -- the timer

-- When an owner is told of its calls; a null is not watched.
create table call_alert (
  root_id        bigint primary key references agent,
  errors_percent smallint check (errors_percent between 1 and 100), -- of the calls of an hour
  calls_min      int not null check (calls_min between 1 and 1000000), -- fewer say nothing
  cost_above     bigint check (cost_above > 0), -- micro-dollars in an hour
  errors_told_at timestamptz,
  cost_told_at   timestamptz,
  checked_at     timestamptz not null default '-infinity'
);
create index call_alert_due on call_alert (checked_at)
  where errors_percent is not null or cost_above is not null; -- the timer
