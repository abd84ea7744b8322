-- The pool of proxies, and what was sold of it. A source adds a row, unproven; only checks through
-- the proxy itself put it on sale or take it off again. See shared/proxies/checks/states.ts.

create table proxy (
  id              int generated always as identity primary key,
  ip_port         text not null unique,
  protocol        text not null default 'socks5' check (protocol in ('socks5')),
  source          text not null, -- the one that listed it first
  declared        text, -- the country that the source gives; used where the exit is not public
  state           text not null default 'quarantined'
                    check (state in ('hot', 'warm', 'degraded', 'quarantined', 'dead')),
  state_since     timestamptz not null default now(),
  recent          int not null default 0, -- the last 16 checks as bits, the newest lowest: 1 passed
  -- how many of the bits count
  checks          smallint not null default 0 check (checks between 0 and 16),
  fails           smallint not null default 0, -- in a row
  country_code    text check (country_code ~ '^[A-Z]{2}$'),
  exit_address    inet,
  latency_ms      int,
  checked_at      timestamptz,
  passed_at       timestamptz,
  next_check_at   timestamptz not null default now(),
  -- where in the pool it is, at random: drawn anew whenever the proxy comes on sale
  position        int not null default floor(random() * 2147483647)::int,
  added_at        timestamptz not null default now(),
  -- nothing is sold unchecked
  constraint proxy_on_sale_works check (state not in ('hot', 'warm') or (
    fails = 0 and checks > 0 and country_code is not null and latency_ms is not null
    and exit_address is not null and passed_at is not null and passed_at = checked_at))
);
-- the pool as API processes read it, and the draw of one that has not read it yet
create index proxy_of_country on proxy (country_code, position) where state in ('hot', 'warm');
create index proxy_hot on proxy (position) where state = 'hot'; -- the same without a country
-- checked first: those that work, or did a moment ago
create index proxy_due on proxy (next_check_at) where state in ('hot', 'warm', 'degraded');
-- checked after them
create index proxy_due_last on proxy (next_check_at) where state = 'quarantined';
create index proxy_dead on proxy (state_since) where state = 'dead'; -- what may be deleted

-- Batches of checks in flight: a slot is one chain of batches, so never more of them are in flight
-- than there are slots, however many workers there are. The ids are stored here, not in job rows.
create table proxy_check_slot (
  slot       smallint primary key,
  batch      bigint not null default 0,
  proxy_ids  int[] not null default '{}',
  busy_until timestamptz not null default '-infinity',
  lost       bigint not null default 0 -- batches that had not ended in time, and were left
);
insert into proxy_check_slot (slot) select generate_series(1, 16);

-- What each source answered when it was last read, for the operator.
create table proxy_source (
  name          text primary key,
  asked_at      timestamptz not null,
  fault         text, -- why nothing was read from it
  listed        int not null default 0, -- good entries
  listed_before int not null default 0, -- how many the last time there were any
  added         int not null default 0, -- new to the pool
  refused       jsonb not null -- the other lines, by reason
);

-- What was sold: one row a paid call. The answers to repeated calls are rebuilt from it.
create table proxy_sale (
  charge_id bigint primary key references charge,
  agent_id  bigint not null references agent,
  proxy_ids int[] not null check (cardinality(proxy_ids) between 1 and 2000),
  sold_at   timestamptz not null default now()
);
create index proxy_sale_agent on proxy_sale (agent_id, sold_at); -- whether this agent may report it

-- What buyers reported as dead on arrival: each proxy of a sale once.
create table proxy_report (
  charge_id   bigint not null references proxy_sale on delete cascade,
  proxy_id    int not null, -- no reference: the pool deletes dead proxies
  -- the tree whose daily number of reports it counts to
  root_id     bigint not null references agent,
  works       boolean not null, -- what our own check found
  credited    bigint not null check (credited >= 0),
  reported_at timestamptz not null default now(),
  primary key (charge_id, proxy_id),
  constraint proxy_report_credit check (credited = 0 or not works)
);
create index proxy_report_root on proxy_report (root_id, reported_at); -- how many today

-- The personal key that the rotating SOCKS5 server takes as password: hashed to be found, sealed
-- to be shown again. read_by are the API keys that it was shown to: whoever had one may have it.
create table proxy_key (
  agent_id   bigint primary key references agent,
  id         bigint generated always as identity unique, -- another one when it is replaced
  hash       bytea not null unique check (length(hash) = 32),
  pepper_id  text not null,
  sealed     bytea not null,
  read_by    bigint[] not null,
  created_at timestamptz not null default now()
);
