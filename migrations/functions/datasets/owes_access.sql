-- Notes whether the buyer of an open order, who asked for access, has none yet: the seller is not
-- paid meanwhile. The first attempt counts the days. Whoever writes a grant has locked its order.
create or replace function owes_access() returns trigger language plpgsql as $$
begin
  if new.version > 0 then
    delete from order_access where order_id = new.order_id;
  else
    insert into order_access (order_id, buyer_id, seller_id, amount, access_by, failed)
    select id, buyer_id, seller_id, subtotal + fee, now() + interval '7 days',
           new.fault is not null
      from orders where id = new.order_id and status in ('escrow', 'disputed')
    on conflict (order_id) do update set failed = excluded.failed;
  end if;
  return null;
end $$;
