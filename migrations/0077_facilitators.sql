-- The last answer of each facilitator of payments by x402 at each path, so that operators see a
-- fault before every one of them fails.
create table x402_facilitator (
  name          text not null check (length(name) between 1 and 300), -- its host
  endpoint      text not null check (endpoint in ('supported', 'verify', 'settle')),
  asked_at      timestamptz not null default now(),
  fault         text check (length(fault) <= 200), -- in words of ours; null: it answered
  failing_since timestamptz,
  primary key (name, endpoint),
  constraint x402_facilitator_fails check ((fault is null) = (failing_since is null))
);
