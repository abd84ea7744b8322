import type { Proof } from '../ledger/proof.ts';

/** Proofs that owners were asked, and that nothing was done without their approval. */
export const approvalsProofs: readonly Proof[] = [
  {
    name: 'each call that waits for an owner has its approval, and each pending approval its call',
    sql: `select a.id as approval, a.status, j.id as job, j.approval as waits_for
            from (select * from approval where status = 'pending') a
            full join (select id, (deferral ->> 'approval_id')::bigint as approval from job
                        where run_at = 'infinity' and status = 'pending' and deferral is not null) j
              on j.id = a.job_id and j.approval = a.id
           where a.id is null or j.id is null`,
  },
  {
    name: 'each call that was not approved has ended so',
    sql: `select a.id as approval, a.status, j.id as job, j.status as ended,
                 j.answer ->> 'error' as error
            from approval a join job j on j.id = a.job_id
           where a.status in ('denied', 'cancelled', 'expired')
             and (j.status <> 'failed' or j.answer ->> 'error' <> 'approval_' || a.status)`,
  },
  {
    name: 'nothing was paid for a call without the approvals that it asked for, or above them',
    sql: `select a.id as approval, a.status, a.amount as approved, paid.amount as paid
            from approval a
            join (select job_id, subtotal + fee as amount from orders
                  union all select call_id, credit + cash from charge
                  union all select call_id, budget from task
                  union all select call_id, budget from labor_task
                  union all select call_id, amount from withdrawal) paid
              on paid.job_id = a.job_id
           where a.status <> 'approved' or paid.amount > a.amount`,
  },
  {
    name: 'each approval was decided by an agent above the policy that asked, or by its root',
    sql: `select a.id as approval, a.agent_id, a.policy_of, a.decided_by
            from approval a
            join agent asks on asks.id = a.policy_of
            join agent caller on caller.id = a.agent_id
           where not a.policy_of = any (caller.lineage)
              or a.status in ('approved', 'denied')
             and not (a.decided_by = any (asks.lineage)
                      and (a.decided_by <> a.policy_of or a.policy_of = a.root_id))`,
  },
];
