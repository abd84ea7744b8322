-- Deals that were settled by the transfers between two ids and have no receipt yet, in the order of
-- their first such transfer. All transfers of a settlement are of one transaction.
--
-- item: what was dealt in. transfers: all that the deal moved, the money that was held included.
create or replace function settled_deals(p_after bigint, p_to bigint)
returns table (first_id bigint, kind text, object_id bigint, outcome text, payer_id bigint,
               payer_root bigint, payee_id bigint, payee_root bigint, opened_at timestamptz,
               settled_at timestamptz, item jsonb, transfers jsonb)
language sql stable as $$
  with moved as (
    select min(t.id) as first_id, max(t.created_at) as settled_at, s.kind, t.ref
      from ledger.transfer t join (values
             ('order.release', 'order'), ('order.refund', 'order'),
             ('task.release', 'task'), ('task.refund', 'task'),
             ('labor.release', 'labor_unit'), ('labor.refund', 'labor_refund'),
             ('deposit', 'deposit'), ('deposit.reversal', 'reversal'),
             ('deposit.owed', 'reversal'), ('deposit.restoration', 'reversal'),
             ('withdrawal.paid', 'withdrawal'), ('withdrawal.refund', 'withdrawal')
           ) as s(moves, kind) on s.moves = t.kind
     where t.id > p_after and t.id <= p_to group by s.kind, t.ref),
  due as (
    select m.* from moved m where not exists (
      select from public.receipt r where (r.kind, r.object_id) = (m.kind, m.ref))),
  deal as (
    select d.*, o.status as outcome, o.buyer_id as payer_id, o.seller_id as payee_id,
           o.created_at as opened_at,
           jsonb_build_object('product_id', o.product_id, 'version', o.version,
             'quantity', o.quantity, 'dataset_sha256', s.sha256,
             'listing_sha256', encode(sha256(convert_to(v.title || E'\n' || coalesce(v.description,
               case when p.version = v.version then p.description end), 'UTF8')), 'hex')) as item,
           array['order.hold', 'order.release', 'order.fee', 'order.refund'] as moves
      from due d join public.orders o on o.id = d.ref
      join public.product p on p.id = o.product_id
      join public.product_version v on (v.product_id, v.version) = (o.product_id, o.version)
      left join public.dataset_sale s on s.order_id = o.id
     where d.kind = 'order'
    union all
    select d.*, t.status, t.poster_id, case when t.paid > 0 then t.worker_id end, t.created_at,
           jsonb_build_object('submission_id', s.id, 'result_sha256', s.result_hash),
           array['task.hold', 'task.release', 'task.refund']
      from due d join public.task t on t.id = d.ref
      left join public.submission s on s.id = t.submission_id and t.paid > 0
     where d.kind = 'task'
    union all
    select d.*, c.status, t.poster_id, c.agent_id, c.taken_at,
           jsonb_build_object('task_id', c.task_id, 'unit_id', c.unit_id,
                              'judged_by', c.judged_by),
           array['labor.release']
      from due d join public.labor_claim c on c.id = d.ref
      join public.labor_task t on t.id = c.task_id
     where d.kind = 'labor_unit'
    union all
    select d.*, 'refunded', t.poster_id, null, t.created_at,
           jsonb_build_object('task_id', t.id), array['labor.refund']
      from due d join public.labor_escrow e on e.id = d.ref
      join public.labor_task t on t.id = e.task_id
     where d.kind = 'labor_refund'
    union all
    select d.*, 'credited', null, p.agent_id, p.created_at,
           jsonb_build_object('rail', p.rail, 'network', p.network, 'tx_id', p.tx_id,
                              'asset', p.asset, 'amount', p.amount::text,
                              'price', p.rate_price::text), array['deposit']
      from due d join public.deposit p on p.id = d.ref
     where d.kind = 'deposit'
    union all
    select d.*, case when r.amount > 0 then 'reversed' else 'restored' end,
           case when r.amount > 0 then p.agent_id end, case when r.amount < 0 then p.agent_id end,
           r.created_at, jsonb_build_object('deposit_id', p.id),
           array['deposit.reversal', 'deposit.owed', 'deposit.restoration']
      from due d join public.deposit_reversal r on r.id = d.ref
      join public.deposit p on p.id = r.deposit_id
     where d.kind = 'reversal'
    union all
    select d.*, w.status, w.agent_id, null, w.created_at,
           jsonb_build_object('chain_id', w.chain_id, 'address', w.address, 'tx_id', w.tx_hash),
           array['withdrawal.hold', 'withdrawal.paid', 'withdrawal.refund']
      from due d join public.withdrawal w on w.id = d.ref
     where d.kind = 'withdrawal')
  select d.first_id, d.kind, d.ref, d.outcome, d.payer_id, payer.root_id, d.payee_id,
         payee.root_id, d.opened_at, d.settled_at, jsonb_strip_nulls(d.item),
         (select jsonb_agg(jsonb_build_object('id', t.id, 'kind', t.kind,
                   'credit', t.credit, 'cash', t.cash) order by t.id)
            from ledger.transfer t where t.ref = d.ref and t.kind = any (d.moves))
    from deal d
    left join public.agent payer on payer.id = d.payer_id
    left join public.agent payee on payee.id = d.payee_id
   order by d.first_id
$$;
