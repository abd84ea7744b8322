-- What was sold: one row a paid call. Answers of repeats are rebuilt from it.
create table proxy_sale (
  charge_id bigint primary key references charge,
  agent_id  int not null references agent,
  proxy_ids int[] not null check (cardinality(proxy_ids) between 1 and 2000),
  sold_at   timestamptz not null default now()
);
create index proxy_sale_agent on proxy_sale (agent_id, sold_at); -- may this agent report it

-- What buyers reported as dead on arrival: of one sale each proxy once.
create table proxy_report (
  charge_id   bigint not null references proxy_sale,
  proxy_id    int not null, -- no reference: the pool forgets the dead
  root_id     int not null references agent, -- whose daily number of reports it counts to
  works       boolean not null, -- what our own check found
  credited    bigint not null check (credited >= 0),
  reported_at timestamptz not null default now(),
  primary key (charge_id, proxy_id),
  constraint proxy_report_credit check (credited = 0 or not works)
);
create index proxy_report_root on proxy_report (root_id, reported_at); -- how many today

-- The personal key that the rotating SOCKS5 door takes as password: hashed to be found, sealed to
-- be shown again.
create table proxy_key (
  agent_id   int primary key references agent,
  hash       bytea not null unique check (length(hash) = 32),
  pepper_id  text not null,
  sealed     bytea not null,
  created_at timestamptz not null default now()
);
