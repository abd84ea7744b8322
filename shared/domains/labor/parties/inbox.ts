import type { ClaimStatus } from '../claims.ts';
import { callOf, inboxPart, type InboxPart } from '../../../kernel/terms/inbox_part.ts';

/** Maximum claims of one task that are counted for its amount. */
const CLAIMS_MAX = 1_000;

/** SQL: the tasks of agent $1 with claims that wait for it. By task: the claims may be many. */
function tasksWith(status: ClaimStatus, deadline = 'first.due_at'): string {
  const waiting = `from labor_claim c where c.task_id = t.id and c.closed_at is null
                      and c.for_poster and c.status = '${status}'`;
  return `
    select t.id, ${deadline} as deadline, (counted.count * t.reward)::bigint as amount,
           jsonb_build_object('claim_id', first.id) as facts
      from labor_task t
     cross join lateral (select c.id, c.due_at ${waiting} order by c.due_at, c.id limit 1) first
     cross join lateral (
       select count(*) as count from (select ${waiting} limit ${CLAIMS_MAX}) c) counted
     where t.poster_id = $1 and t.closed_at is null`;
}

/** SQL: the claims of agent $1 that wait for it. */
const ownClaims = (status: ClaimStatus) => `
  select c.id, c.due_at as deadline, t.reward as amount,
         jsonb_build_object('task_id', c.task_id) as facts
    from labor_claim c join labor_task t on t.id = c.task_id
   where c.agent_id = $1 and c.closed_at is null and c.status = '${status}'`;

const BY_POSTER = { may: 'decide', agent: 't.poster_id' } as const;

/** Inbox entries of workers and posters about labor. */
export const laborInbox: readonly InboxPart[] = [
  inboxPart<{ task_id: number }>({
    kind: 'claim_to_deliver',
    access: 'any',
    hasDeadline: true,
    sql: ownClaims('claimed'),
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
    sql: ownClaims('rejected'),
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
    above: BY_POSTER,
    sql: tasksWith('verifying'),
    asks: 'Judge the deliveries that no rule decides, one after the other.',
    otherwise: 'It is accepted, and its worker is paid.',
    calls: (task_id, { claim_id }) => [
      callOf('labor_claims', { task_id, status: 'verifying' }),
      callOf('judge_labor_claim', { task_id, claim_id, verdict: 'accept' }),
    ],
  }),
  inboxPart<{ claim_id: number }>({
    kind: 'appeals_to_judge',
    access: 'any',
    hasDeadline: false,
    above: BY_POSTER,
    sql: tasksWith('appealed', 'null::timestamptz'),
    asks: 'Read the appeals of workers against rejections, and give in where one is right.',
    otherwise: 'Operators decide.',
    calls: (task_id, { claim_id }) => [
      callOf('labor_claims', { task_id, status: 'appealed' }),
      callOf('judge_labor_claim', { task_id, claim_id, verdict: 'accept' }),
    ],
  }),
];
