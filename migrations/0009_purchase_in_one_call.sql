-- A purchase is one call of the database from the job row to its answer, and one that travels alone
-- takes a path of its own.

-- Records calls, in the order of their keys, or two batches that share some would deadlock. Rows
-- whose key or cause is taken are left out: somebody recorded that call before. An id tells when it
-- was made: what comes more than two seconds late is found by run_at instead, for the dispatcher's
-- mark may have passed it.
create function record_jobs(
  p_ids uuid[], p_operations text[], p_agents int[], p_keys text[], p_causes text[],
  p_inputs jsonb[], p_hashes bytea[], p_requests text[], p_run_at timestamptz[]
) returns setof uuid language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_late uuid := (lpad(to_hex((extract(epoch from now()) * 1000)::bigint - 2000), 12, '0')
                  || '70008000000000000000')::uuid;
begin
  return query
  insert into job (id, operation, agent_id, key, cause, input, input_hash, request_id, run_at)
  select u.id, u.operation, u.agent, u.key, u.cause, u.input, u.hash, u.request,
         case when u.run_at is not null then greatest(u.run_at, now())
              when u.id < v_late then now() end
    from unnest(p_ids, p_operations, p_agents, p_keys, p_causes, p_inputs, p_hashes, p_requests,
                p_run_at)
      as u(id, operation, agent, key, cause, input, hash, request, run_at)
   order by u.agent, u.key, u.cause
  on conflict do nothing returning id;
end $$;

-- One call, judged as cautiously as a batch: nothing comes back when anything is in doubt. The
-- set-based statement of a batch costs more to start than this costs to run.
create function purchase_alone(p_job uuid, p_agent int, p_product int, p_quantity int)
returns table (job_id uuid, order_id int, quantity int, subtotal bigint, release_at timestamptz)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_day     date := (now() at time zone 'UTC')::date;
  v_buyer   record;
  v_deal    record;
  v_locked   record;
  v_total   bigint;
  v_credit  bigint;
  v_units   bigint[];
  v_order   int;
  v_escrow  bigint;
  v_release timestamptz;
begin
  -- The lock order of the house: the tree, then the product, then its stock.
  select root_id, lineage into v_buyer from agent where id = p_agent;
  select credit, cash into v_locked from ledger.lock_treasuries(array [v_buyer.root_id]::bigint[]);
  select p.seller_id, p.category, p.stock_kind, p.price, p.version, p.release_hours into v_deal
    from product p join agent seller on seller.id = p.seller_id
   where p.id = p_product and p.status = 'approved' and p.active
     and seller.root_id <> v_buyer.root_id;
  if not found then return; end if;
  subtotal := v_deal.price * p_quantity;
  v_total := subtotal + (subtotal + 5) / 10;
  if v_total > v_locked.credit + v_locked.cash then return; end if;

  -- The policies of the agent and of everyone above it.
  perform from agent member
    join spend on spend.agent_id = member.id
    left join policy on policy.agent_id = member.id
   where member.id = any (v_buyer.lineage)
     and (member.status <> 'active'
          or v_total > policy.max_spend_per_tx
          or cardinality(policy.allowed_product_types) > 0
             and v_deal.category <> all (policy.allowed_product_types)
          or case when spend.day = v_day then spend.amount else 0 end + v_total
             > policy.daily_spend_limit);
  if found then return; end if;

  if v_deal.stock_kind = 'counted' then
    update product set quantity = product.quantity - p_quantity
     where id = p_product and product.quantity >= p_quantity
       and status = 'approved' and active and version = v_deal.version;
    if not found then return; end if;
  elsif v_deal.stock_kind = 'serial_pool' then
    v_units := array(select id from stock where product_id = p_product and status = 'available'
                      order by id limit p_quantity for update skip locked);
    if cardinality(v_units) < p_quantity then return; end if;
  end if;

  v_order := nextval('order_id');
  v_escrow := nextval('ledger.transfer_id');
  v_credit := least(v_total, v_locked.credit); -- credit first
  v_release := now() + make_interval(hours => v_deal.release_hours);
  insert into orders (id, job_id, buyer_id, seller_id, product_id, version, quantity, unit_price,
                      subtotal, fee, credit, cash, escrow_id, status, release_at)
  values (v_order, p_job, p_agent, v_deal.seller_id, p_product, v_deal.version, p_quantity,
          v_deal.price, subtotal, v_total - subtotal, v_credit, v_total - v_credit, v_escrow,
          'escrow', v_release);
  if v_units is not null then
    update stock set status = 'sold', order_id = v_order where id = any (v_units);
  end if;
  update spend set day = v_day,
         amount = case when spend.day = v_day then spend.amount else 0 end + v_total
   where agent_id = any (v_buyer.lineage);
  -- The money: the ledger's trigger debits the treasury.
  insert into ledger.transfer (id, ref, kind, from_account, from_id, to_account, to_id, credit, cash)
  values (v_escrow, v_order, 'order.hold', 'treasury', v_buyer.root_id, 'escrow', v_escrow,
          v_credit, v_total - v_credit);
  insert into event (agent_id, type, object_kind, object_id, status, data)
  select whom, 'order.created', 'order', v_order, 'escrow', jsonb_build_object(
           'order_id', v_order, 'product_id', p_product, 'quantity', p_quantity)
    from (values (p_agent), (v_deal.seller_id)) as w(whom);
  return query select p_job, v_order, p_quantity, subtotal, v_release;
end $$;

-- Performs the recorded purchases that nobody has finished or has in hand, and finishes the rows of
-- those that became orders, with the answer that they give. The others are left as they were.
create function perform_purchases(p_ids uuid[]) returns table (id uuid, answer text)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_jobs       uuid[];
  v_agents     int[];
  v_products   int[];
  v_quantities int[];
begin
  -- A batch delivered twice must not act twice.
  select array_agg(id), array_agg(agent_id), array_agg((input ->> 'product_id')::int),
         array_agg(coalesce((input ->> 'quantity')::int, 1))
    into v_jobs, v_agents, v_products, v_quantities
    from (select id, agent_id, input from job
           where id = any (p_ids) and status = 'pending' order by id for update skip locked) mine;

  return query
  update job set status = 'complete', http_status = 200, finished_at = now(),
                 answer = row_to_json(said)
    from (select * from purchase_batch(v_jobs, v_agents, v_products, v_quantities)
           where cardinality(v_jobs) > 1
          union all
          select * from purchase_alone(v_jobs[1], v_agents[1], v_products[1], v_quantities[1])
           where cardinality(v_jobs) = 1) bought
    join unnest(v_jobs, v_products) as asked(job_id, product_id) using (job_id)
   cross join lateral (
      select order_id, 'escrow' as status, '/vault/' || order_id as item_endpoint, product_id,
             quantity, trim_scale((subtotal + (subtotal + 5) / 10) / 1000000.0) as total_due,
             to_char(release_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
               as release_at) said
   where job.id = bought.job_id
  returning job.id, job.answer::text;
end $$;
