-- Empties the escrows of orders that lock_orders has locked, and closes them: the earned part of
-- each subtotal to its seller, the fee for that part to the platform, the rest back to its buyer.
-- The seller, then the platform, are paid in credit first; the buyer gets back the funds that are
-- left. So two agents cannot turn welcome credit into cash. The caller announces tiers.
create or replace function settle_orders(p_orders bigint[], p_earned bigint[]) returns void
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_refunded bigint[];
begin
  with kept as ( -- the fee is kept for the part that the seller earns, rounded down
    select o.*, u.earned, div(o.fee::numeric * u.earned, o.subtotal)::bigint as fee_kept
      from unnest(p_orders, p_earned) as u(id, earned) join orders o on o.id = u.id),
  settled as materialized (
    select id, escrow_id, buyer_id, buyer_root, seller_id, seller_root, credit, earned, fee_kept,
           subtotal + fee - earned - fee_kept as refund,
           least(credit, earned) as credit_earned,
           least(credit - least(credit, earned), fee_kept) as credit_kept,
           case earned when 0 then 'refunded' when subtotal then 'completed'
                       else 'partially_refunded' end as status
      from kept),
  paid as ( -- the trigger of the ledger moves the treasuries, each once
    insert into ledger.transfer
      (ref, kind, from_account, from_id, from_root, to_account, to_id, to_root, credit, cash)
    select id, part.kind, 'escrow', escrow_id, buyer_root, part.to_account, part.to_id,
           part.to_root, part.credit, part.amount - part.credit
      from settled cross join lateral (values
        (1, 'order.release', 'treasury'::ledger.account, seller_root, seller_root, earned,
         credit_earned),
        (2, 'order.fee', 'revenue', 1, null, fee_kept, credit_kept),
        (3, 'order.refund', 'treasury', buyer_root, buyer_root, refund,
         credit - credit_earned - credit_kept)
      ) as part(nth, kind, to_account, to_id, to_root, amount, credit)
     where part.amount > 0 order by id, part.nth),
  closed as (
    update orders set status = settled.status, refunded = refund, closed_at = now()
      from settled where orders.id = settled.id),
  new_event as (
    insert into event (agent_id, root_id, type, object_kind, object_id, status, data)
    select party.agent, party.root, 'order.' || status, 'order', id, status, jsonb_build_object(
             'order_id', id, 'refunded', trim_scale(refund / 1000000.0))
      from settled cross join lateral (
        values (1, buyer_id, buyer_root), (2, seller_id, seller_root)) as party(nth, agent, root)
     order by id, party.nth)
  select array_agg(id) filter (where refund > 0) into v_refunded from settled;

  if v_refunded is not null then
    perform uncount_spends(array_agg(buyer_id), array_agg(spent_on), array_agg(refunded))
       from orders where id = any (v_refunded);
    perform restock_orders(v_refunded);
  end if;
end $$;
