-- no transaction
drop index concurrently if exists orders_access_due;
-- the timers of access to datasets
create index concurrently orders_access_due on orders (access_by)
  where status = 'escrow' and access_by is not null;
drop index concurrently if exists orders_access_failed_buyer;
-- inbox of buyers
create index concurrently orders_access_failed_buyer on orders
  (buyer_id, (date_trunc('hour', access_by at time zone 'UTC')))
  where status = 'escrow' and access_failed;
drop index concurrently if exists orders_access_failed_seller;
-- inbox of sellers
create index concurrently orders_access_failed_seller on orders
  (seller_id, (date_trunc('hour', access_by at time zone 'UTC')))
  where status = 'escrow' and access_failed;
