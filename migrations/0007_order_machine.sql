-- The life of an order after the purchase: confirmed, refunded, disputed, decided.

create or replace function ledger.route_allowed(
  kind ledger.kind, from_account ledger.account, to_account ledger.account, credit bigint, cash bigint
) returns boolean language sql immutable as $$
  select case kind
    when 'welcome'       then from_account = 'expense'  and to_account = 'treasury' and cash = 0
    when 'deposit'       then from_account = 'asset'    and to_account = 'treasury' and credit = 0
    when 'order.hold'    then from_account = 'treasury' and to_account = 'escrow'
    when 'order.release' then from_account = 'escrow'   and to_account = 'treasury'
    when 'order.fee'     then from_account = 'escrow'   and to_account = 'revenue'
    when 'order.refund'  then from_account = 'escrow'   and to_account = 'treasury'
    else false end
$$;

-- refunded is what went back to the buyer; closed_at is when the escrow was emptied.
alter table orders rename column completed_at to closed_at;
alter table orders add column refunded bigint not null default 0;
alter table orders drop constraint orders_status_check, drop constraint order_completed;
alter table orders
  add constraint orders_status_check check
    (status in ('escrow', 'disputed', 'completed', 'refunded', 'partially_refunded')),
  add constraint order_closed check ((status in ('escrow', 'disputed')) = (closed_at is null)),
  add constraint order_refunded check (case status
    when 'refunded' then refunded = subtotal + fee
    when 'partially_refunded' then refunded > 0 and refunded < subtotal + fee
    else refunded = 0 end);

-- What counts as in escrow: open orders, disputed ones too.
drop index orders_open;
create index orders_open on orders (buyer_id) include (subtotal, fee)
  where status in ('escrow', 'disputed'); -- in_escrow

-- A buyer's complaint; one an order, kept when it is over.
create table dispute (
  order_id    int primary key references orders,
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
