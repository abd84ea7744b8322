-- What trees of agents spent and earned on each UTC day, for reports: summed up from the ledger by
-- a timer, so that purchases do nothing for it.

\ir functions/reports/charge_category.sql
\ir functions/reports/movement_of.sql

-- Sums of transfers up to the watermark. What came back counts to the day when it came back, so a
-- day may be below zero.
create table daily_money (
  root_id    bigint not null,
  is_sale    boolean not null, -- it was earned; otherwise spent
  day        date not null, -- of the transfers, UTC
  agent_id   bigint not null,
  category   text collate "C" not null,
  product_id bigint, -- of sales of products
  amount     bigint not null,
  count      int not null, -- purchases, calls, sales; what came back is none
  -- reports read a tree's days in order
  constraint daily_money_once
    unique nulls not distinct (root_id, is_sale, day, agent_id, category, product_id),
  constraint daily_money_agent foreign key (agent_id, root_id) references agent (id, root_id)
);

-- Up to id all transfers are summed up. The rest is for roll_up_money.
create table money_watermark (
  id       bigint not null check (id >= 0),
  -- when each transaction below next_tx has ended, transfers up to next_id are complete
  next_id  bigint not null,
  next_tx  xid8 not null,
  -- the highest id that was drawn, and when this was read
  drawn    bigint not null,
  drawn_at timestamptz not null
);
insert into money_watermark (id, next_id, next_tx, drawn, drawn_at) values (0, 0, '0', 0, now());
create unique index money_watermark_once on money_watermark ((true)); -- one row
