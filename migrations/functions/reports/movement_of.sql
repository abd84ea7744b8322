-- The agent and the category of a transfer of this kind about this object, for reports. Nothing if
-- money only came in or went out. A branch of another kind is skipped, so this costs as much as
-- looking up its object. is_back: the money came back.
create or replace function movement_of(p_kind text, p_ref bigint)
returns table (agent_id bigint, category text, product_id bigint, is_sale boolean, is_back boolean)
language sql stable as $$
  select o.buyer_id, p.category, null::bigint, false, p_kind = 'order.refund'
    from public.orders o join public.product p on p.id = o.product_id
   where p_kind in ('order.hold', 'order.refund') and o.id = p_ref
  union all
  select o.seller_id, p.category, p.id, true, false
    from public.orders o join public.product p on p.id = o.product_id
   where p_kind = 'order.release' and o.id = p_ref
  union all
  select t.poster_id, 'task', null, false, p_kind = 'task.refund'
    from public.task t where p_kind in ('task.hold', 'task.refund') and t.id = p_ref
  union all
  select b.bidder_id, 'task', null, true, false
    from public.task t join public.bid b on b.id = t.bid_id
   where p_kind = 'task.release' and t.id = p_ref
  union all
  select t.poster_id, 'labor', null, false, p_kind = 'labor.refund'
    from public.labor_escrow e join public.labor_task t on t.id = e.task_id
   where p_kind in ('labor.hold', 'labor.refund') and e.id = p_ref
  union all
  select c.agent_id, 'labor', null, true, false
    from public.labor_claim c where p_kind = 'labor.release' and c.id = p_ref
  union all
  select w.agent_id, 'withdrawal', null, false, p_kind = 'withdrawal.refund'
    from public.withdrawal w
   where p_kind in ('withdrawal.hold', 'withdrawal.refund') and w.id = p_ref
  union all
  select c.agent_id, public.charge_category(c.service), null, false, false
    from public.charge c
   where p_kind in ('proxy.charge', 'email.charge', 'token.charge') and c.id = p_ref
  union all
  select c.agent_id, public.charge_category(c.service), null, false, true
    from public.charge_refund r join public.charge c on c.id = r.charge_id
   where p_kind in ('proxy.refund', 'email.refund', 'token.refund') and r.id = p_ref
$$;
