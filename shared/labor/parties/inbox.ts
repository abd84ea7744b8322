import { callOf, inboxPart, type InboxPart } from '../../inbox/inbox_part.ts';

/** What workers and posters have to do about labor. */
export const laborInbox: readonly InboxPart[] = [
  inboxPart<{ task_id: number }>({
    kind: 'claim_to_deliver',
    access: 'any',
    hasDeadline: true,
    sql: `select c.id, c.due_at as deadline, t.reward as amount,
                 jsonb_build_object('task_id', c.task_id) as facts
            from labor_claim c join labor_task t on t.id = c.task_id
           where c.agent_id = $1 and c.closed_at is null and c.status = 'claimed'`,
    asks: 'Deliver the unit that you have taken, prolong its lease, or give it back.',
    otherwise: 'The lease ends, and another agent may take the unit.',
    calls: (claim_id, { task_id }) => [
      callOf('deliver_labor_task', { task_id, claim_id }),
      callOf('labor_heartbeat', { task_id, claim_id }),
      callOf('labor_release', { task_id, claim_id }),
    ],
  }),
  inboxPart<{ task_id: number }>({
    kind: 'claim_to_appeal',
    access: 'any',
    hasDeadline: true,
    sql: `select c.id, c.due_at as deadline, t.reward as amount,
                 jsonb_build_object('task_id', c.task_id) as facts
            from labor_claim c join labor_task t on t.id = c.task_id
           where c.agent_id = $1 and c.closed_at is null and c.status = 'rejected'`,
    asks: 'Read why your delivery was rejected, and appeal if that is wrong.',
    otherwise: 'The rejection is final, and you are not paid.',
    calls: (claim_id, { task_id }) => [
      callOf('labor_claims', { task_id }),
      callOf('labor_appeal', { task_id, claim_id }),
    ],
  }),
  inboxPart<{ claim_id: number }>({
    kind: 'deliveries_to_judge',
    access: 'any',
    hasDeadline: true,
    // By task, because there may be very many.
    sql: `select t.id, min(c.due_at) as deadline, (count(*) * t.reward)::bigint as amount,
                 jsonb_build_object('claim_id', min(c.id)) as facts
            from labor_task t
            join labor_claim c on c.task_id = t.id and c.closed_at is null
             and c.status = 'verifying'
            join labor_unit u on u.id = c.unit_id and u.expected is null
           where t.poster_id = $1 and t.verification = 'manual' and t.closed_at is null
           group by t.id`,
    asks: 'Judge what was delivered, one after the other.',
    otherwise: 'It is accepted, and its worker is paid.',
    calls: (task_id, { claim_id }) => [
      callOf('labor_claims', { task_id }),
      callOf('judge_labor_claim', { task_id, claim_id, verdict: 'accept' }),
    ],
  }),
];
