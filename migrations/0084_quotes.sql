-- Quotes: price, terms and units that are held for an agent (prepare_purchase_payload).

-- id is that of the order that it becomes, so it becomes one once at most. holds: units are out of
-- the stock for it. waiting: its purchase waits for an owner, and the units are those of its
-- pending_order.
create table quote (
  id             bigint primary key default nextval('order_id'),
  agent_id       bigint not null,
  root_id        bigint not null,
  product_id     bigint not null references product,
  version        int not null,
  dataset_version int, -- what a product of a dataset delivers
  quantity       int not null check (quantity between 1 and 1000),
  unit_price     bigint not null,
  subtotal       bigint not null,
  fee            bigint not null,
  release_hours  int not null,
  accepts_credit boolean not null,
  status         text not null default 'open' check (status in
    ('open', 'waiting', 'bought', 'ended')),
  holds          boolean not null,
  expires_at     timestamptz not null,
  created_at     timestamptz not null default now(),
  ended_at       timestamptz,
  constraint quote_agent foreign key (agent_id, root_id) references agent (id, root_id),
  constraint quote_sum check (subtotal = unit_price * quantity),
  constraint quote_fee check (fee = (subtotal + 5) / 10),
  constraint quote_ended check ((status = 'ended') = (ended_at is not null)),
  constraint quote_holds check (status = 'open' or not holds)
) with (fillfactor = 70);
-- the quotes of a tree, and the timer: they are few
create index quote_open on quote (root_id) where status = 'open';
create index quote_holding on quote (product_id) where holds; -- what a product has held for quotes
create index quote_forgotten on quote (ended_at) where ended_at is not null; -- forget_old_rows

-- reserved_for is the id of the order that a unit may be sold to: of a pending_order, or of a
-- quote, which becomes one with the same id. No foreign key can refer to one of two tables.
alter table stock drop constraint stock_reserved_for_fkey;
\ir functions/orders/reserved_references.sql
create trigger reserved_references after insert or update of reserved_for on stock
  for each row when (new.reserved_for is not null) execute function reserved_references();
alter table stock enable always trigger reserved_references;
