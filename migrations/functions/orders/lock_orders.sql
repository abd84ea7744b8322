-- Locks orders in the order that all transactions use: first the trees of both parties. Returns the
-- orders as they are under the locks.
create or replace function lock_orders(p_orders bigint[]) returns setof orders
language plpgsql rows 64 set plan_cache_mode = force_generic_plan as $$
begin
  perform from ledger.lock_treasuries(array(
    select distinct party.root from orders o
     cross join lateral (values (o.buyer_root), (o.seller_root)) as party(root)
     where o.id = any (p_orders)));
  return query select * from orders where id = any (p_orders) order by id for no key update;
end $$;
