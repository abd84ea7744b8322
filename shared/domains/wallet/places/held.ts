/**
 * SQL: the money in escrows by object: `kind`, `id`, `agent_id` and `root_id` of the payer,
 * `amount`, `ends_at` (null: at no certain time), `ends`, one of HELD_ENDS, and the payee:
 * `paid_id`, an agent, or `paid_to`, an address (both null: not known). The sum of a tree equals
 * that of its escrows in the ledger; a proof compares them.
 */
export const HELD = `
  select 'order' as kind, o.id, o.buyer_id as agent_id, o.buyer_root as root_id,
         o.credit + o.cash as amount, o.release_at as ends_at, 'order' as ends,
         o.seller_id as paid_id, null as paid_to
    from orders o where o.status = 'escrow'
  union all
  select 'order', o.id, o.buyer_id, o.buyer_root, o.credit + o.cash,
         case when d.responded_at is null then d.respond_by end,
         case when d.responded_at is null then 'dispute' else 'verdict' end, o.seller_id, null
    from orders o join dispute d on d.order_id = o.id where o.status = 'disputed'
  union all
  select 'task', t.id, t.poster_id, t.poster_root, t.budget, t.deadline,
         case t.status when 'submitted' then 'review' when 'rejected' then 'rejection'
                       when 'disputed' then 'verdict' else 'task' end, t.worker_id, null
    from task t where t.closed_at is null
  union all
  select 'labor_task', t.id, t.poster_id, t.poster_root, e.amount,
         case when t.status in ('open', 'paused') then t.due_at end,
         case when t.status in ('open', 'paused') then 'labor' else 'stopped' end, null, null
    from labor_task t
   cross join lateral (select sum(credit + cash - paid)::bigint as amount from labor_escrow
                        where task_id = t.id) e
   where t.closed_at is null and e.amount > 0
  union all
  select 'withdrawal', w.id, w.agent_id, w.root_id, w.amount,
         case when w.status = 'requested' and coalesce(w.review, '') <> 'pending'
              then w.not_before end,
         case when w.review = 'pending' then 'checked' when w.status = 'requested' then 'payout'
              else 'paying' end, null, w.address
    from withdrawal w where w.closed_at is null`;

/** Outcomes for held money if nobody acts. */
export const HELD_OUTCOMES: Readonly<Record<string, string>> = {
  order: 'The seller is paid.',
  dispute: 'It comes back, if the seller does not answer.',
  verdict: 'An operator decides who gets it.',
  task: 'It comes back, if no result is accepted before.',
  review: 'The worker is paid; what is above the bid comes back.',
  rejection: 'It comes back, if the worker does not object.',
  labor: 'No more units are given out; the rest comes back.',
  stopped: 'The rest comes back when the last delivery is judged.',
  checked: 'It is paid out when an operator has approved it.',
  payout: 'It is paid out.',
  paying: 'It is being paid out.',
};
