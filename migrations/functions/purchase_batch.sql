-- Buys for a batch (up to 64 calls) in one statement and returns the answers of the calls that
-- became orders. It judges cautiously: sums run over the batch, and a call in doubt is left out,
-- for purchase_product.handle to explain or to attempt alone. So this function holds no refusal and
-- no message. It shares its checks with purchase_alone: broken_rule, is_for_sale, fee_of.
-- force_generic_plan: planning this statement costs more than running it.
create or replace function purchase_batch(
  p_jobs uuid[], p_agents bigint[], p_products bigint[], p_quantities int[], p_max_totals bigint[]
) returns table (job_id uuid, answer json)
language plpgsql rows 64 set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_today date;
begin
  -- The one lock order: treasuries, then products, then stock. The lock of a treasury also covers
  -- the spend counters of its tree.
  perform from ledger.lock_treasuries(
    array(select distinct root_id from agent where id = any (p_agents)));
  perform from product where id = any (p_products) and stock_kind = 'counted'
    order by id for no key update;
  v_today := (clock_timestamp() at time zone 'UTC')::date; -- after the locks, as in spend_day

  return query
  with call as materialized (
    select row_number() over (order by u.ord) as ord, u.job, u.agent, u.quantity, a.root_id,
           a.lineage, t.credit, t.cash, p.id as product, p.seller_id, p.root_id as seller_root,
           p.category, p.stock_kind, p.quantity as available, p.price, p.version, p.release_hours,
           p.accepts_credit,
           p.price * u.quantity as subtotal, fee_of(p.price * u.quantity) as fee,
           p.price * u.quantity + fee_of(p.price * u.quantity) as total,
           greatest(root.day, v_today) as day
      from unnest(p_jobs, p_agents, p_products, p_quantities, p_max_totals)
           with ordinality as u(job, agent, product, quantity, max_total, ord)
      join agent a on a.id = u.agent
      join ledger.treasury t on t.id = a.root_id and t.owed = 0
      join spend root on root.agent_id = a.root_id
     cross join lateral (select * from product offer
                          where id = u.product and is_for_sale(offer, a.root_id)
                          limit 1) p -- limit keeps it an index probe
     where u.max_total is null
        or p.price * u.quantity + fee_of(p.price * u.quantity) <= u.max_total),
  within_policy as (
    select spend as ord
      from policy_checks(array(select agent from call order by ord),
                         array(select total from call order by ord),
                         array(select category from call order by ord),
                         array(select job from call order by ord),
                         array(select seller_id from call order by ord),
                         v_today)
     group by spend having every(broken is null)),
  summed as ( -- running sums: of the tree's money, and of the product's units
    select c.*,
           sum(total) filter (where accepts_credit) over tree as mixed_total,
           sum(total) filter (where not accepts_credit) over tree as cash_total,
           sum(quantity) over (partition by product order by c.ord) as nth
      from call c join within_policy using (ord)
    window tree as (partition by root_id order by c.ord)),
  payable as materialized (
    select * from summed
     where coalesce(cash_total, 0) + greatest(0, coalesce(mixed_total, 0) - credit) <= cash
       and (stock_kind <> 'counted' or nth <= available)),
  locked_stock as materialized (
    select need.product, s.id
      from (select product, max(nth) as n from payable where stock_kind = 'serial_pool'
             group by product order by product) need
     cross join lateral (select id from stock where product_id = need.product
                            and status = 'available' order by id limit need.n
                            for update skip locked) s),
  unit as (
    select product, id, row_number() over (partition by product order by id) as nth
      from locked_stock),
  sale as materialized ( -- credit first, over the units really sold
    select p.*, nextval('order_id') as order_id, nextval('ledger.transfer_id') as escrow_id,
           case when accepts_credit then
             greatest(0, least(total, credit - (
               sum(total) filter (where accepts_credit) over (partition by root_id order by ord)
               - total)))::bigint else 0 end as from_credit
      from payable p
      left join (select product as of_product, count(*) as units from locked_stock
                  group by product) locked on locked.of_product = p.product
     where p.stock_kind <> 'serial_pool' or p.nth <= locked.units),
  new_order as (
    insert into orders (id, job_id, buyer_id, buyer_root, seller_id, seller_root, product_id,
                        version, quantity, unit_price, subtotal, fee, credit, cash, escrow_id,
                        status, release_at, spent_on)
    select order_id, job, agent, root_id, seller_id, seller_root, product, version, quantity, price,
           subtotal, fee, from_credit, total - from_credit, escrow_id, 'escrow',
           now() + make_interval(hours => release_hours), day from sale),
  sold_stock as (
    update stock set status = 'sold', order_id = sale.order_id
      from sale join unit on unit.product = sale.product
                         and unit.nth > sale.nth - sale.quantity and unit.nth <= sale.nth
     where stock.id = unit.id and sale.stock_kind = 'serial_pool'),
  sold_quantity as (
    update product set quantity = product.quantity - sold.n
      from (select product as id, sum(quantity)::int as n from sale where stock_kind = 'counted'
             group by product) sold
     where product.id = sold.id),
  spent as (
    update spend set day = d.day,
           amount = case when spend.day = d.day then spend.amount else 0 end + d.total
      from (select l.id, day, sum(total)::bigint as total
              from sale cross join lateral unnest(lineage) as l(id) group by l.id, day) d
     where spend.agent_id = d.id),
  held as ( -- the trigger of the ledger debits the treasuries
    insert into ledger.transfer
      (id, ref, kind, from_account, from_id, from_root, to_account, to_id, to_root, credit, cash)
    select escrow_id, order_id, 'order.hold', 'treasury', root_id, root_id, 'escrow', escrow_id,
           root_id, from_credit, total - from_credit from sale),
  new_event as (
    insert into event (agent_id, root_id, type, object_kind, object_id, status, data)
    select recipient, root, 'order.created', 'order', order_id, 'escrow', jsonb_build_object(
             'order_id', order_id, 'product_id', product, 'quantity', quantity)
      from sale cross join lateral (
        values (agent, root_id), (seller_id, seller_root)) as r(recipient, root))
  select job, purchase_answer(order_id, product, quantity, total,
                              now() + make_interval(hours => release_hours))
    from sale;
end $$;
