-- Metered calls: paid from the treasury to the platform at once, without an escrow.

-- One paid call of a metered service. Its id is the ref of its transfer.
create table charge (
  id              bigint generated always as identity primary key,
  call_id         uuid not null unique, -- one call is charged once
  agent_id        bigint not null,
  root_id         bigint not null, -- the tree that paid
  service         text not null check (service in ('proxy', 'email', 'token')),
  units           int not null check (units between 1 and 2000),
  unit_price      bigint not null check (unit_price > 0),
  credit          bigint not null,
  cash            bigint not null,
  refunded_credit bigint not null default 0,
  refunded_cash   bigint not null default 0,
  created_at      timestamptz not null default now(),
  spent_on        date not null, -- the UTC day whose limits it counts to
  constraint charge_sum check (credit >= 0 and cash >= 0 and credit + cash = unit_price * units),
  constraint charge_refunded check
    (refunded_credit between 0 and credit and refunded_cash between 0 and cash),
  constraint charge_agent foreign key (agent_id, root_id) references agent (id, root_id)
);
create index charge_agent on charge (agent_id, created_at); -- what an agent used today

-- What went back of a charge, and why (e.g. proxy:17): once for one cause.
create table charge_refund (
  id         bigint generated always as identity primary key,
  charge_id  bigint not null references charge,
  cause      text not null,
  credit     bigint not null,
  cash       bigint not null,
  created_at timestamptz not null default now(),
  constraint charge_refund_once unique (charge_id, cause),
  constraint charge_refund_moves check (credit >= 0 and cash >= 0 and credit + cash > 0)
);
