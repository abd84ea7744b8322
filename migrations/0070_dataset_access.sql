-- Datasets: a paid buyer is let in or gets its money back, and sees before what it buys.

-- kind of the fault, which says in our words why the user could not be made; null: none is known
alter table dataset_grant add column cause text;
-- what the seller should know of a version that passed its check
alter table dataset_version add column warning text;

-- What buyers see before they buy: the licence, and of rows, if the seller wants that, columns and
-- so many of the first rows; preview_rows is null for no preview.
alter table dataset add column licence text,
                    add column preview_rows int check (preview_rows between 0 and 5);
-- columns and first rows of the version, as its seller shows them to everybody
alter table dataset_version add column preview json;

-- An open order whose buyer asked for its access to a dataset and has none yet: it gets its money
-- back at access_by, and until then no timer pays the seller. failed: the last attempt has failed.
-- A table of its own: functions that return rows of orders run while this migration does.
create table order_access (
  order_id  bigint primary key references orders,
  buyer_id  bigint not null,
  seller_id bigint not null,
  amount    bigint not null, -- what the buyer paid
  access_by timestamptz not null,
  failed    boolean not null
);
create index order_access_due on order_access (access_by); -- the timers
-- inbox of buyers
create index order_access_buyer on order_access
  (buyer_id, (date_trunc('hour', access_by at time zone 'UTC'))) where failed;
-- inbox of sellers
create index order_access_seller on order_access
  (seller_id, (date_trunc('hour', access_by at time zone 'UTC'))) where failed;

-- A trigger, because programs of the release before make grants too.
\ir functions/datasets/owes_access.sql
create trigger owes_access after insert or update of version, fault on dataset_grant
  for each row when (new.order_id is not null) execute function owes_access();
alter table dataset_grant enable always trigger owes_access;

-- One of its own: earlier functions are made again before this migration is.
\ir functions/datasets/closes_order_access.sql
create trigger closes_order_access after update of status on orders
  for each row when (old.closed_at is null and new.closed_at is not null)
  execute function closes_order_access();
alter table orders enable always trigger closes_order_access;

insert into order_access (order_id, buyer_id, seller_id, amount, access_by, failed)
select o.id, o.buyer_id, o.seller_id, o.subtotal + o.fee, now() + interval '7 days',
       g.fault is not null
  from dataset_grant g join orders o on o.id = g.order_id
 where g.version = 0 and o.status in ('escrow', 'disputed');
