-- Notes in an open order whether its buyer, who asked for access, has none yet: the seller is not
-- paid meanwhile. The first attempt counts the days. Whoever writes a grant has locked its order.
create or replace function owes_access() returns trigger language plpgsql as $$
begin
  update orders
     set access_by = case when new.version = 0
                          then coalesce(access_by, now() + interval '7 days') end,
         access_failed = new.version = 0 and new.fault is not null
   where id = new.order_id and status in ('escrow', 'disputed');
  return null;
end $$;
