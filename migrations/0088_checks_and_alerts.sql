-- Checks by which an owner has delivered goods judged, and orders confirmed by themselves.

-- product_id: the goods that the check is for. hours: after a check that was passed.
create table goods_check (
  root_id    bigint not null references agent,
  product_id bigint not null references product,
  judged_by  jsonb not null, -- a JSON Schema, or assertions
  amount_max bigint not null check (amount_max > 0), -- of an order with its fee, micro-dollars
  hours      smallint not null check (hours between 0 and 72),
  primary key (root_id, product_id)
);
-- What the check of its buyer's owner said of the goods of an order, once.
create table goods_verdict (
  order_id   bigint primary key references orders,
  buyer_id   bigint not null references agent,
  passes     boolean not null,
  failures   jsonb not null,
  confirms   boolean not null, -- release_at was brought forward
  checked_at timestamptz not null default now(),
  constraint goods_verdict_failures check (passes = (failures = '[]')),
  constraint goods_verdict_confirms check (passes or not confirms)
);
create index goods_verdict_buyer on goods_verdict (buyer_id, order_id); -- list_goods_verdicts

-- The last day on which an owner was told that an agent has spent most of its daily limit.
create table spend_alert (
  agent_id bigint primary key,
  root_id  bigint not null,
  day      date not null,
  constraint spend_alert_agent foreign key (agent_id, root_id) references agent (id, root_id)
);
create index spend_alert_root on spend_alert (root_id, day); -- inbox of owners
