-- Orders, disputes about them, and the record of who opened what.

create sequence order_id;

-- escrow_id is the transfer that filled the order's escrow; credit and cash are the funds that it
-- held then. refunded is what went back to the buyer; closed_at is when the escrow was emptied.
create table orders (
  id           bigint primary key default nextval('order_id'),
  job_id       uuid not null unique, -- one call makes one order
  buyer_id     bigint not null,
  buyer_root   bigint not null,
  seller_id    bigint not null,
  seller_root  bigint not null,
  product_id   bigint not null,
  version      int not null,
  quantity     int not null check (quantity between 1 and 1000),
  unit_price   bigint not null,
  subtotal     bigint not null,
  fee          bigint not null,
  credit       bigint not null,
  cash         bigint not null,
  escrow_id    bigint not null unique,
  refunded     bigint not null default 0,
  status       text not null check
    (status in ('escrow', 'disputed', 'completed', 'refunded', 'partially_refunded')),
  release_at   timestamptz not null,
  revealed_at  timestamptz,
  created_at   timestamptz not null default now(),
  spent_on     date not null, -- the UTC day whose limits it counts to
  closed_at    timestamptz,
  constraint order_sum check (subtotal = unit_price * quantity),
  constraint order_fee check (fee = (subtotal + 5) / 10), -- 10 %, half a micro-dollar rounds up
  constraint order_funds check (credit >= 0 and cash >= 0 and credit + cash = subtotal + fee),
  constraint order_closed check ((status in ('escrow', 'disputed')) = (closed_at is null)),
  constraint order_refunded check (case status
    when 'refunded' then refunded = subtotal + fee
    when 'partially_refunded' then refunded > 0 and refunded < subtotal + fee
    else refunded = 0 end)
) with (fillfactor = 80);
create index orders_buyer on orders (buyer_id, id); -- get_orders
-- inbox of buyers
create index orders_to_confirm on orders
  (buyer_id, (date_trunc('hour', release_at at time zone 'UTC'))) where status = 'escrow';
-- inbox of sellers
create index orders_in_dispute on orders (seller_id) where status = 'disputed';
create index orders_seller on orders (seller_id, id); -- get_orders of a seller
create index orders_version on orders (product_id, version); -- whether a version was bought
create index orders_due on orders (release_at) where status = 'escrow'; -- the timer

alter table stock add constraint stock_of_an_order foreign key (order_id) references orders;

\ir functions/order_references.sql
\ir functions/version_stays.sql
create trigger order_references after insert on orders referencing new table as new_order
  for each statement execute function order_references();
create trigger keeps_its_references
  before update of buyer_id, buyer_root, seller_id, seller_root, product_id on orders
  for each statement execute function order_references();
alter table orders
  enable always trigger order_references, enable always trigger keeps_its_references;
create trigger version_stays after delete on product_version referencing old table as gone
  for each statement execute function version_stays();
alter table product_version enable always trigger version_stays;

-- Purchases that wait for an owner, each with the id of the order that it may become: then its row
-- is in orders, and no longer here. reserved_until: units of the product are reserved for it.
create table pending_order (
  id           bigint primary key default nextval('order_id'),
  job_id       uuid not null unique,
  buyer_id     bigint not null,
  buyer_root   bigint not null,
  seller_id    bigint not null references agent,
  product_id   bigint not null references product,
  title        text not null,
  quantity     int not null check (quantity between 1 and 1000),
  unit_price   bigint not null,
  subtotal     bigint not null,
  fee          bigint not null,
  status       text not null default 'pending_approval' check
    (status in ('pending_approval', 'cancelled', 'expired')),
  reserved_until timestamptz,
  created_at   timestamptz not null default now(),
  closed_at    timestamptz,
  constraint pending_order_buyer foreign key (buyer_id, buyer_root) references agent (id, root_id),
  constraint pending_order_sum check (subtotal = unit_price * quantity),
  constraint pending_order_closed check ((status = 'pending_approval') = (closed_at is null)),
  constraint pending_order_reserves check (closed_at is null or reserved_until is null)
);
create index pending_order_buyer on pending_order (buyer_id, id); -- get_orders
create index pending_order_reserved on pending_order (product_id)
  where reserved_until is not null; -- stock_status, and the timer: they are few

alter table stock
  add column reserved_for bigint references pending_order,
  add constraint stock_reserved_for_an_order
    check ((status = 'reserved') = (reserved_for is not null));
create index stock_reserved on stock (reserved_for)
  where reserved_for is not null; -- what is given back

-- The fields of what purchase_product answers, in their order.
create type bought as (
  order_id bigint, status text, item_endpoint text, product_id bigint, quantity int,
  total_due numeric, release_at text);

-- A buyer's complaint; one an order, kept when it is over.
create table dispute (
  order_id    bigint primary key references orders,
  reason      text not null,
  opened_at   timestamptz not null default now(),
  respond_by  timestamptz not null,
  response    text,
  responded_at timestamptz,
  outcome     text check (outcome in
    ('withdrawn', 'refunded_by_seller', 'seller_silent', 'release', 'refund', 'split')),
  note        text, -- the operator's reasons
  closed_at   timestamptz,
  constraint dispute_responded check ((response is null) = (responded_at is null)),
  constraint dispute_closed check ((outcome is null) = (closed_at is null))
);
create index dispute_unanswered on dispute (respond_by)
  where responded_at is null and closed_at is null; -- the timer
create index dispute_open on dispute (order_id) where closed_at is null; -- the operator's list

-- Every opening of a sealed value: by which agent, what, when. The first opening of a vault has
-- first = true.
create table opening (
  id          bigint generated always as identity primary key,
  agent_id    bigint not null,
  root_id     bigint not null,
  object_kind text not null,
  object_id   bigint not null,
  first       boolean not null,
  request_id  text not null,
  opened_at   timestamptz not null default now(),
  constraint opening_agent foreign key (agent_id, root_id) references agent (id, root_id)
);
-- one first opening
create unique index opening_first on opening (object_kind, object_id) where first;
