-- Confirms orders (up to 64) in one statement: each that is in escrow, for its buyer or an agent
-- above it. Returns the positions of the calls that did so, and the trees that were paid. It leaves
-- out the others, of two calls for one order the second, for confirm_order.handle to explain.
create or replace function confirm_orders(p_orders bigint[], p_agents bigint[])
returns table (nth bigint, seller_root bigint)
language plpgsql rows 64 set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_orders    bigint[];
  v_nths      bigint[];
  v_confirmed bigint[];
  v_subtotals bigint[];
  v_sellers   bigint[];
begin
  -- Nobody locks the trees of orders of others.
  select array_agg(id), array_agg(nth) into v_orders, v_nths
    from (select distinct on (o.id) o.id, u.nth
            from unnest(p_orders, p_agents) with ordinality as u(id, agent, nth)
            join orders o on o.id = u.id
            join agent buyer on buyer.id = o.buyer_id and u.agent = any (buyer.lineage)
           order by o.id, u.nth) own;
  select array_agg(id), array_agg(subtotal), array_agg(seller_root)
    into v_confirmed, v_subtotals, v_sellers
    from lock_orders(v_orders) where status = 'escrow';
  if v_confirmed is null then return; end if;
  perform settle_orders(v_confirmed, v_subtotals);
  return query
  select own.nth, confirmed.seller_root
    from unnest(v_orders, v_nths) as own(id, nth)
    join unnest(v_confirmed, v_sellers) as confirmed(id, seller_root) using (id);
end $$;
