-- Buys for one call, with the checks of purchase_batch, and returns the answer; null if anything is
-- in doubt. The statement of a batch costs more to start than all of this: a lone purchase by
-- purchase_batch takes a third longer.
create or replace function purchase_alone(
  p_job uuid, p_agent bigint, p_product bigint, p_quantity int, p_max_total bigint,
  p_order bigint default null, -- the id of a purchase that had to be approved
  p_quote bigint default null -- locked and judged: its terms and units are bought; 0 or null: none
) returns json language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_quote    bigint := nullif(p_quote, 0);
  v_day      date;
  v_root     bigint;
  v_lineage  bigint[];
  v_credit   bigint;
  v_cash     bigint;
  v_owed     bigint;
  v_product  record;
  v_subtotal bigint;
  v_total    bigint;
  v_units    bigint[];
  v_order    bigint;
  v_escrow   bigint;
  v_release  timestamptz;
begin
  -- The one lock order: the treasury, then the product, then its stock.
  select root_id, lineage into v_root, v_lineage from agent where id = p_agent;
  select credit, cash, owed into v_credit, v_cash, v_owed
    from ledger.lock_treasuries(array [v_root]);
  if v_owed > 0 then return null; end if;
  v_day := spend_day(v_root);
  if v_quote is null then
    select seller_id, root_id, category, stock_kind, price, version, release_hours, accepts_credit
      into v_product
      from product where id = p_product and is_for_sale(product, v_root);
  else
    select p.seller_id, p.root_id, p.category, p.stock_kind, q.unit_price as price, q.version,
           q.release_hours, q.accepts_credit
      into v_product
      from quote q join product p on p.id = q.product_id where q.id = v_quote;
  end if;
  if not found then return null; end if;
  v_subtotal := v_product.price * p_quantity;
  v_total := v_subtotal + fee_of(v_subtotal);
  if v_total > p_max_total then return null; end if;
  if not v_product.accepts_credit then v_credit := 0; end if;
  if v_total > v_credit + v_cash then return null; end if;

  perform from agent member
    join spend on spend.agent_id = member.id
    left join policy on policy.agent_id = member.id
   where member.id = any (v_lineage)
     and broken_rule(member.status, policy, v_product.category, v_total,
           case when spend.day = v_day then spend.amount else 0 end + v_total,
           case when v_total > policy.approval_threshold or policy.governance_level = 'high'
                  or policy.governance_level = 'medium' and v_total > policy.new_seller_threshold
                then asks_above(policy, v_total, p_job, p_agent, v_product.seller_id) end,
           case when policy.min_seller_buyers > 0
                then established_buyers(v_product.seller_id) end)
         is not null;
  if found then return null; end if;

  if v_quote is not null then
    null; -- its units are out of the stock
  elsif v_product.stock_kind = 'counted' then
    -- The version shows that nobody has edited the product since it was read.
    update product set quantity = product.quantity - p_quantity
     where id = p_product and product.quantity >= p_quantity
       and version = v_product.version and is_for_sale(product, v_root);
    if not found then return null; end if;
  elsif v_product.stock_kind = 'serial_pool' then
    v_units := array(select id from stock where product_id = p_product and status = 'available'
                      order by id limit p_quantity for update skip locked);
    if cardinality(v_units) < p_quantity then return null; end if;
  end if;

  v_order := coalesce(v_quote, p_order, nextval('order_id'));
  v_escrow := nextval('ledger.transfer_id');
  v_credit := least(v_total, v_credit); -- credit first
  v_release := now() + make_interval(hours => v_product.release_hours);
  insert into orders (id, job_id, buyer_id, buyer_root, seller_id, seller_root, product_id,
                      version, quantity, unit_price, subtotal, fee, credit, cash, escrow_id,
                      status, release_at, spent_on)
  values (v_order, p_job, p_agent, v_root, v_product.seller_id, v_product.root_id, p_product,
          v_product.version, p_quantity, v_product.price, v_subtotal, v_total - v_subtotal,
          v_credit, v_total - v_credit, v_escrow, 'escrow', v_release, v_day);
  if v_quote is not null then
    update stock set status = 'sold', order_id = v_order, reserved_for = null
     where reserved_for = v_quote;
    update quote set status = 'bought', holds = false where id = v_quote;
  elsif v_units is not null then
    update stock set status = 'sold', order_id = v_order where id = any (v_units);
  end if;
  update spend set day = v_day,
         amount = case when spend.day = v_day then spend.amount else 0 end + v_total
   where agent_id = any (v_lineage);
  -- the trigger of the ledger debits the treasury
  insert into ledger.transfer
    (id, ref, kind, from_account, from_id, from_root, to_account, to_id, to_root, credit, cash)
  values (v_escrow, v_order, 'order.hold', 'treasury', v_root, v_root, 'escrow', v_escrow, v_root,
          v_credit, v_total - v_credit);
  insert into event (agent_id, root_id, type, object_kind, object_id, status, data)
  select recipient, root, 'order.created', 'order', v_order, 'escrow', jsonb_build_object(
           'order_id', v_order, 'product_id', p_product, 'quantity', p_quantity)
    from (values (p_agent, v_root), (v_product.seller_id, v_product.root_id)) as r(recipient, root);
  return purchase_answer(v_order, p_product, p_quantity, v_total, v_release);
end $$;
