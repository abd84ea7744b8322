-- What operators did and tried to do. Written in the transaction of what was done. The application
-- may only add to it, with the database's time, and read it (grants.sql).
create table audit_log (
  id          bigint generated always as identity primary key,
  operator    text not null,
  operation   text not null,
  object_kind text not null,
  object_id   text, -- null: the platform as a whole
  input       jsonb not null, -- without what looks like a secret
  error       text, -- the code of a refusal; null: it was done
  address     text, -- where the call came from; null: a worker does not know it
  request_id  text not null,
  created_at  timestamptz not null default now()
);
create index audit_log_object on audit_log (object_kind, object_id, id); -- what befell an object
create index audit_log_operator on audit_log (operator, id); -- what an operator did

-- What operators have given to agents as goodwill: append-only. A reference, such as the number of
-- a ticket, is paid once.
insert into ledger.route
  (kind, from_account, to_account, from_id, to_id, allows_credit, allows_cash) values
  ('goodwill', 'expense', 'treasury', null, null, true, false);
create table goodwill (
  id         bigint generated always as identity primary key,
  reference  text not null unique,
  agent_id   bigint not null,
  root_id    bigint not null,
  amount     bigint not null check (amount > 0),
  operator   text not null,
  created_at timestamptz not null default now(),
  constraint goodwill_agent foreign key (agent_id, root_id) references agent (id, root_id)
);

-- The goodwill that was given on each UTC day, in micro-dollars.
create table goodwill_day (
  day     date primary key,
  granted bigint not null check (granted >= 0)
);
