-- Orders, the record of who opened what, and the purchase of a whole batch in one call.

create sequence order_id as int;

-- escrow_id is the ledger entry that filled the order's escrow; credit and cash are the funds it
-- holds.
create table orders (
  id           int primary key default nextval('order_id'),
  job_id       uuid not null unique, -- one call makes one order
  buyer_id     int not null references agent,
  seller_id    int not null references agent,
  product_id   int not null references product,
  version      int not null,
  quantity     int not null check (quantity between 1 and 1000),
  unit_price   bigint not null,
  subtotal     bigint not null,
  fee          bigint not null,
  credit       bigint not null,
  cash         bigint not null,
  escrow_id    bigint not null unique,
  status       text not null check (status in ('escrow', 'completed')),
  release_at   timestamptz not null,
  revealed_at  timestamptz,
  created_at   timestamptz not null default now(),
  completed_at timestamptz,
  constraint order_sum check (subtotal = unit_price * quantity),
  constraint order_fee check (fee = (subtotal + 5) / 10), -- 10 %, half a micro-dollar rounds up
  constraint order_funds check (credit >= 0 and cash >= 0 and credit + cash = subtotal + fee),
  constraint order_completed check ((status = 'completed') = (completed_at is not null))
) with (fillfactor = 80);
create index orders_buyer on orders (buyer_id, id); -- get_orders
create index orders_seller on orders (seller_id, id); -- get_orders of a seller
create index orders_due on orders (release_at) where status = 'escrow'; -- the timer
-- in_escrow
create index orders_open on orders (buyer_id) include (subtotal, fee) where status = 'escrow';

alter table stock add constraint stock_of_an_order foreign key (order_id) references orders;

-- Every opening of what is sealed: whose, what, when. The first opening of a vault has first =
-- true.
create table opening (
  id          bigint generated always as identity primary key,
  agent_id    int not null references agent,
  object_kind text not null,
  object_id   bigint not null,
  first       boolean not null,
  request_id  text not null,
  opened_at   timestamptz not null default now()
);
-- one first opening
create unique index opening_first on opening (object_kind, object_id) where first;

-- Buys for a whole batch (up to 64 calls) in one statement and returns the calls that became
-- orders. It judges cautiously: sums run over the batch, and whatever is in doubt is left out, for
-- the single path to try and to say why not. So this function holds no refusal and no message.
-- force_generic_plan: planning this statement costs more than running it.
create function purchase_batch(p_jobs uuid[], p_agents int[], p_products int[], p_quantities int[])
returns table (job_id uuid, order_id int, quantity int, subtotal bigint, release_at timestamptz)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_day date := (now() at time zone 'UTC')::date;
begin
  -- The lock order of the house: trees, then deals, then stock. A tree's lock covers its money and
  -- all its spend counters.
  perform from ledger.lock_treasuries(
    array(select distinct root_id from agent where id = any (p_agents)));
  perform from product where id = any (p_products) and stock_kind = 'counted'
    order by id for no key update;

  return query
  with asked as materialized (
    select u.ord, u.job, u.agent, u.quantity, a.root_id, a.lineage, t.credit, t.cash,
           p.id as product, p.seller_id, p.category, p.stock_kind, p.quantity as left_over, p.price,
           p.version, p.release_hours, p.price * u.quantity as subtotal,
           (p.price * u.quantity + 5) / 10 as fee,
           p.price * u.quantity + (p.price * u.quantity + 5) / 10 as total
      from unnest(p_jobs, p_agents, p_products, p_quantities)
           with ordinality as u(job, agent, product, quantity, ord)
      join agent a on a.id = u.agent
      join ledger.treasury t on t.id = a.root_id
     cross join lateral (select * from product where id = u.product
                          -- limit keeps it an index probe
                          and status = 'approved' and active limit 1) p
      join agent seller on seller.id = p.seller_id and seller.root_id <> a.root_id),
  allowed as ( -- by the policies of the agent and of everyone above it
    select ord from (
      select q.ord, member.status = 'active'
             and coalesce(total <= policy.max_spend_per_tx, true)
             and coalesce(cardinality(policy.allowed_product_types) = 0
                          or category = any (policy.allowed_product_types), true)
             and coalesce(case when spend.day = v_day then spend.amount else 0 end
                          + sum(total) over (partition by member.id order by q.ord)
                          <= policy.daily_spend_limit, true) as ok
        from asked q
       cross join lateral unnest(q.lineage) as l(id)
        join agent member on member.id = l.id
        join spend on spend.agent_id = member.id
        left join policy on policy.agent_id = member.id) each_policy
     group by ord having bool_and(ok)),
  payable as ( -- running sums: of the tree's money, and of the product's units
    select q.*,
           sum(total) over (partition by root_id order by q.ord) as tree_total,
           sum(quantity) over (partition by product order by q.ord) as nth
      from asked q join allowed using (ord)),
  passed as materialized (
    select * from payable
     where tree_total <= credit + cash and (stock_kind <> 'counted' or nth <= left_over)),
  taken as materialized (
    select need.product, s.id
      from (select product, max(nth) as n from passed where stock_kind = 'serial_pool'
             group by product order by product) need
     cross join lateral (select id from stock where product_id = need.product
                            and status = 'available' order by id limit need.n
                            for update skip locked) s),
  unit as (
    select product, id, row_number() over (partition by product order by id) as nth from taken),
  sold as materialized ( -- credit first, over what is really sold
    select p.*, nextval('order_id')::int as order_id, nextval('ledger.transfer_id') as escrow_id,
           greatest(0, least(total, credit - (sum(total) over (partition by root_id order by ord)
                                              - total)))::bigint as from_credit
      from passed p
     where p.stock_kind <> 'serial_pool'
        or p.nth <= (select count(*) from taken t where t.product = p.product)),
  ordered as (
    insert into orders (id, job_id, buyer_id, seller_id, product_id, version, quantity, unit_price,
                        subtotal, fee, credit, cash, escrow_id, status, release_at)
    select order_id, job, agent, seller_id, product, version, quantity, price, subtotal, fee,
           from_credit, total - from_credit, escrow_id, 'escrow',
           now() + make_interval(hours => release_hours) from sold),
  handed_over as (
    update stock set status = 'sold', order_id = sold.order_id
      from sold join unit on unit.product = sold.product
                         and unit.nth > sold.nth - sold.quantity and unit.nth <= sold.nth
     where stock.id = unit.id and sold.stock_kind = 'serial_pool'),
  counted_down as (
    update product set quantity = product.quantity - gone.n
      from (select product as id, sum(quantity)::int as n from sold where stock_kind = 'counted'
             group by product) gone
     where product.id = gone.id),
  counted as (
    update spend set day = v_day,
           amount = case when spend.day = v_day then spend.amount else 0 end + d.total
      from (select l.id, sum(total)::bigint as total
              from sold cross join lateral unnest(lineage) as l(id) group by l.id) d
     where spend.agent_id = d.id),
  held as ( -- the money: the ledger's trigger debits the treasuries
    insert into ledger.transfer (id, ref, kind, from_account, from_id, to_account, to_id, credit, cash)
    select escrow_id, order_id, 'order.hold', 'treasury', root_id, 'escrow', escrow_id,
           from_credit, total - from_credit from sold),
  told as (
    insert into event (agent_id, type, object_kind, object_id, status, data)
    select whom, 'order.created', 'order', order_id, 'escrow', jsonb_build_object(
             'order_id', order_id, 'product_id', product, 'quantity', quantity)
      from sold cross join lateral (values (agent), (seller_id)) as w(whom))
  select job, order_id, quantity, subtotal, now() + make_interval(hours => release_hours) from sold;
end $$;
