-- The pool of proxies. A row comes in by a source, unproven; only checks through the proxy itself
-- put it on sale or take it off again. See shared/proxies/states.ts for the rules.

create table proxy (
  id              int generated always as identity primary key,
  ip_port         text not null unique,
  protocol        text not null default 'socks5' check (protocol in ('socks5')),
  source          text not null, -- which listed it first
  declared        text, -- the country that the source gives; counts where the exit is not public
  state           text not null default 'quarantined'
                    check (state in ('hot', 'warm', 'degraded', 'quarantined', 'dead')),
  state_since     timestamptz not null default now(),
  recent          int not null default 0, -- the last 16 checks as bits, the newest lowest: 1 passed
  checks          smallint not null default 0 check (checks between 0 and 16), -- bits that count
  fails           smallint not null default 0, -- in a row
  country_code    text check (country_code ~ '^[A-Z]{2}$'),
  exit_address    inet,
  latency_ms      int,
  checked_at      timestamptz,
  passed_at       timestamptz,
  next_check_at   timestamptz not null default now(),
  -- its place among the others, drawn anew whenever it comes on sale
  place           int not null default floor(random() * 2147483647)::int,
  added_at        timestamptz not null default now(),
  -- nothing is sold unchecked
  constraint proxy_on_sale_works check (state not in ('hot', 'warm') or (
    fails = 0 and checks > 0 and country_code is not null and latency_ms is not null
    and exit_address is not null and passed_at is not null and passed_at = checked_at))
);
-- the pool as API processes read it, and the draw of one that has not read it yet
create index proxy_of_country on proxy (country_code, place) where state in ('hot', 'warm');
create index proxy_hot on proxy (place) where state = 'hot'; -- the same without a country
-- what is to be checked first: those that work, or did a moment ago
create index proxy_due on proxy (next_check_at) where state in ('hot', 'warm', 'degraded');
-- and what is to be checked after them
create index proxy_due_last on proxy (next_check_at) where state = 'quarantined';
create index proxy_dead on proxy (state_since) where state = 'dead'; -- what may be forgotten

-- Batches of checks on their way: a slot is one chain of batches, so there are never more of them
-- in the air, however many workers there are. The ids rest here and not in job rows.
create table proxy_check_slot (
  slot       smallint primary key,
  batch      bigint not null default 0,
  proxy_ids  int[] not null default '{}',
  busy_until timestamptz not null default '-infinity'
);
insert into proxy_check_slot (slot) select generate_series(1, 16);

-- What each source said when it was last asked, for the operator.
create table proxy_source (
  name          text primary key,
  asked_at      timestamptz not null,
  fault         text, -- why nothing was taken from it
  listed        int not null default 0, -- good entries
  listed_before int not null default 0, -- how many the last time that there were any
  added         int not null default 0, -- that the pool did not know
  refused       jsonb not null -- what else stood there, by reason
);
