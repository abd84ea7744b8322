-- The other side of a transfer of this kind about this object, as seen by the tree whose treasury
-- it moved; nothing if that is no agent, or not known yet.
create or replace function counterparty_of(p_kind text, p_ref bigint)
returns table (agent_id bigint)
language sql stable as $$
  select case p_kind when 'order.release' then o.buyer_id else o.seller_id end
    from public.orders o
   where p_kind in ('order.hold', 'order.refund', 'order.release') and o.id = p_ref
  union all
  select case p_kind when 'task.release' then t.poster_id else t.worker_id end
    from public.task t
   where p_kind in ('task.hold', 'task.refund', 'task.release') and t.id = p_ref
  union all
  select t.poster_id from public.labor_claim c join public.labor_task t on t.id = c.task_id
   where p_kind = 'labor.release' and c.id = p_ref
$$;
