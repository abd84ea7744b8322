-- Deals that were settled by the transfers between two ids, between two trees. All transfers of a
-- settlement are of one transaction, but an earlier call may have had the first of them.
--
-- paid: to the payee. fee: in cash. lost_fee: the fee of what was given back, in cash, because the
-- payee lost a dispute.
create or replace function deals_between(p_after bigint, p_to bigint)
returns table (payee_role text, payer_role text, payee_id bigint, payee_root bigint,
               payer_id bigint, payer_root bigint, settled_at timestamptz, paid bigint, fee bigint,
               lost_fee bigint, refunded boolean, disputed boolean, payee_lost boolean,
               payer_lost boolean)
language sql stable as $$
  with moved as (
    select s.kind, t.ref, max(t.created_at) as settled_at
      from ledger.transfer t join (values
             ('order.release', 'order'), ('order.refund', 'order'), ('order.fee', 'order'),
             ('task.release', 'task'), ('task.refund', 'task'), ('labor.release', 'labor')
           ) as s(moves, kind) on s.moves = t.kind
     where t.id > p_after and t.id <= p_to group by s.kind, t.ref),
  due as (
    select * from moved m where not exists (
      select from ledger.transfer e
       where e.ref = m.ref and e.id <= p_after
         and e.kind in (m.kind || '.release', m.kind || '.refund', m.kind || '.fee')
         and e.kind <> 'labor.refund')), -- its ref is no claim
  deal as (
    select 'seller', 'buyer', o.seller_id, o.seller_root, o.buyer_id, o.buyer_root, due.settled_at,
           part.paid, part.fee,
           case when d.outcome not in ('withdrawn', 'release') then part.back / 11 else 0 end,
           o.refunded > 0, d.order_id is not null,
           coalesce(d.outcome not in ('withdrawn', 'release'), false),
           coalesce(d.outcome = 'release', false)
      from due join public.orders o on o.id = due.ref
      left join public.dispute d on d.order_id = o.id
     cross join lateral (
       select coalesce(sum(t.credit + t.cash) filter (where t.kind = 'order.release'), 0)::bigint
                as paid,
              coalesce(sum(t.cash) filter (where t.kind = 'order.fee'), 0)::bigint as fee,
              coalesce(sum(t.cash) filter (where t.kind = 'order.refund'), 0)::bigint as back
         from ledger.transfer t
        where t.ref = o.id and t.kind in ('order.release', 'order.fee', 'order.refund')) part
     where due.kind = 'order'
    union all
    select 'worker', 'poster', b.bidder_id, b.bidder_root, t.poster_id, t.poster_root,
           due.settled_at, t.paid, 0, 0, t.status <> 'approved', d.task_id is not null,
           coalesce(d.verdict = 'refund', false), coalesce(d.verdict <> 'refund', false)
      from due join public.task t on t.id = due.ref
      join public.bid b on b.id = t.bid_id
      left join public.task_dispute d on d.task_id = t.id
     where due.kind = 'task' and t.status in ('approved', 'refunded', 'partially_refunded')
    union all
    select 'worker', 'poster', c.agent_id, c.root_id, t.poster_id, t.poster_root, due.settled_at,
           r.credit + r.cash, 0, 0, false, false, false, false
      from due join public.labor_claim c on c.id = due.ref
      join public.labor_task t on t.id = c.task_id
      join ledger.transfer r on (r.ref, r.kind) = (c.id, 'labor.release')
     where due.kind = 'labor')
  select * from deal as d(payee_role, payer_role, payee_id, payee_root, payer_id, payer_root,
                          settled_at, paid, fee, lost_fee, refunded, disputed, payee_lost,
                          payer_lost)
   where payee_root <> payer_root
$$;
