-- Buys for one call, which it judges as cautiously as purchase_batch: no row is returned when
-- anything is in doubt. The set-based statement of a batch costs more to start than this costs to
-- run.
create or replace function purchase_alone(
  p_job uuid, p_agent bigint, p_product bigint, p_quantity int
) returns table (job_id uuid, order_id bigint, quantity int, subtotal bigint, release_at timestamptz)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_day     date := (now() at time zone 'UTC')::date;
  v_buyer   record;
  v_product record;
  v_balance record;
  v_total   bigint;
  v_credit  bigint;
  v_units   bigint[];
  v_order   bigint;
  v_escrow  bigint;
  v_release timestamptz;
begin
  -- The one lock order: the treasury, then the product, then its stock.
  select root_id, lineage into v_buyer from agent where id = p_agent;
  select credit, cash into v_balance
    from ledger.lock_treasuries(array [v_buyer.root_id]);
  select p.seller_id, p.category, p.stock_kind, p.price, p.version, p.release_hours into v_product
    from product p join agent seller on seller.id = p.seller_id
   where p.id = p_product and p.status = 'approved' and p.active
     and seller.root_id <> v_buyer.root_id;
  if not found then return; end if;
  subtotal := v_product.price * p_quantity;
  v_total := subtotal + (subtotal + 5) / 10;
  if v_total > v_balance.credit + v_balance.cash then return; end if;

  -- The policies of the agent and of every agent above it.
  perform from agent member
    join spend on spend.agent_id = member.id
    left join policy on policy.agent_id = member.id
   where member.id = any (v_buyer.lineage)
     and (member.status <> 'active'
          or v_total > policy.max_spend_per_tx
          or cardinality(policy.allowed_product_types) > 0
             and v_product.category <> all (policy.allowed_product_types)
          or case when spend.day = v_day then spend.amount else 0 end + v_total
             > policy.daily_spend_limit);
  if found then return; end if;

  if v_product.stock_kind = 'counted' then
    update product set quantity = product.quantity - p_quantity
     where id = p_product and product.quantity >= p_quantity
       and status = 'approved' and active and version = v_product.version;
    if not found then return; end if;
  elsif v_product.stock_kind = 'serial_pool' then
    v_units := array(select id from stock where product_id = p_product and status = 'available'
                      order by id limit p_quantity for update skip locked);
    if cardinality(v_units) < p_quantity then return; end if;
  end if;

  v_order := nextval('order_id');
  v_escrow := nextval('ledger.transfer_id');
  v_credit := least(v_total, v_balance.credit); -- credit first
  v_release := now() + make_interval(hours => v_product.release_hours);
  insert into orders (id, job_id, buyer_id, seller_id, product_id, version, quantity, unit_price,
                      subtotal, fee, credit, cash, escrow_id, status, release_at)
  values (v_order, p_job, p_agent, v_product.seller_id, p_product, v_product.version, p_quantity,
          v_product.price, subtotal, v_total - subtotal, v_credit, v_total - v_credit, v_escrow,
          'escrow', v_release);
  if v_units is not null then
    update stock set status = 'sold', order_id = v_order where id = any (v_units);
  end if;
  update spend set day = v_day,
         amount = case when spend.day = v_day then spend.amount else 0 end + v_total
   where agent_id = any (v_buyer.lineage);
  -- The trigger of the ledger debits the treasury.
  insert into ledger.transfer
    (id, ref, kind, from_account, from_id, from_root, to_account, to_id, to_root, credit, cash)
  values (v_escrow, v_order, 'order.hold', 'treasury', v_buyer.root_id, v_buyer.root_id, 'escrow',
          v_escrow, v_buyer.root_id, v_credit, v_total - v_credit);
  insert into event (agent_id, type, object_kind, object_id, status, data)
  select recipient, 'order.created', 'order', v_order, 'escrow', jsonb_build_object(
           'order_id', v_order, 'product_id', p_product, 'quantity', p_quantity)
    from (values (p_agent), (v_product.seller_id)) as r(recipient);
  return query select p_job, v_order, p_quantity, subtotal, v_release;
end $$;
