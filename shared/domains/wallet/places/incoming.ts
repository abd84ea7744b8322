/**
 * SQL: money that will come to agents if nobody objects, in the columns of HELD: `agent_id` is the
 * payee, `paid_id` the payer. `amount` is null if it is not known yet. None of it is in a treasury
 * of the tree.
 */
export const INCOMING = `
  select 'order' as kind, o.id, o.seller_id as agent_id, o.subtotal as amount,
         o.release_at as ends_at, 'order' as ends, o.buyer_id as paid_id, null as paid_to
    from orders o where o.status = 'escrow'
  union all
  select 'task', t.id, t.worker_id, b.amount, t.deadline, 'review', t.poster_id, null
    from task t join bid b on b.id = t.bid_id where t.status = 'submitted'
  union all
  select 'labor_claim', c.id, c.agent_id, t.reward, c.due_at, 'delivery', t.poster_id, null
    from labor_claim c join labor_task t on t.id = c.task_id
   where c.status = 'verifying' and c.closed_at is null
  union all
  select 'deposit', d.id, d.agent_id, d.usd, null, 'deposit', null, d.sender
    from deposit d where d.status in ('detected', 'confirming')
  union all
  select 'deposit', d.id, d.agent_id, d.usd, null, 'held', null, d.sender
    from deposit d where d.status = 'held'`;

/** Outcomes for incoming money if nobody acts. */
export const INCOMING_ENDS: Readonly<Record<string, string>> = {
  order: 'You are paid, if the buyer does not object before.',
  review: 'You are paid, if the poster does not object before.',
  delivery: 'You are paid, if it is not rejected before.',
  deposit: 'It is credited when it is final.',
  held: 'It is credited when small payments add up, or when operators have checked a large one.',
};
