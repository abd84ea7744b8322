-- Returns the units of those of these orders that are refunded to the stock. A secret that nobody
-- saw can be sold again. One that was seen cannot: its buyer may have kept it.
create or replace function restock_orders(p_orders bigint[]) returns void
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  update stock
     set status = case when o.revealed_at is null then 'available' else 'burned' end,
         order_id = case when o.revealed_at is null then null else o.id end
    from orders o
   where o.id = any (p_orders) and o.status = 'refunded' and stock.order_id = o.id;
  -- In the order of their ids, as purchases lock them.
  perform from product
    where stock_kind = 'counted'
      and id = any (array(select product_id from orders
                           where id = any (p_orders) and status = 'refunded'
                             and revealed_at is null))
    order by id for no key update;
  update product set quantity = product.quantity + unsold.units
    from (select product_id, sum(quantity)::int as units from orders
           where id = any (p_orders) and status = 'refunded' and revealed_at is null
           group by product_id) unsold
   where product.id = unsold.product_id and product.stock_kind = 'counted';
end $$;
