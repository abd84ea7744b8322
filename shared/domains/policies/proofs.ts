import type { Proof } from '../ledger/proof.ts';

/** Proofs that every policy and suspension was decided by somebody. */
export const policiesProofs: readonly Proof[] = [
  {
    name: 'each policy is the newest of its versions, and none of them is missing',
    sql: `select p.agent_id, p.version, v.versions, v.newest
            from policy p
            left join (select agent_id, count(*) as versions, max(version) as newest
                         from policy_version group by 1) v on v.agent_id = p.agent_id
            left join policy_version n on n.agent_id = p.agent_id and n.version = p.version
           where coalesce(v.versions, 0) <> p.version or v.newest is distinct from p.version
              or (p.governance_level, p.max_spend_per_tx, p.daily_spend_limit,
                  p.approval_threshold, p.new_seller_threshold, p.allowed_product_types,
                  p.auto_suspend_on_anomaly, p.min_seller_buyers)
                 is distinct from
                 (n.governance_level, n.max_spend_per_tx, n.daily_spend_limit,
                  n.approval_threshold, n.new_seller_threshold, n.allowed_product_types,
                  n.auto_suspend_on_anomaly, n.min_seller_buyers)`,
  },
  {
    name: 'no policy was set by a call that an owner had to approve, and has not',
    sql: `select v.agent_id, v.version, v.approval_id, a.id as asked, a.status
            from policy_version v join approval a on a.job_id = v.call_id
           where a.status <> 'approved' or v.approval_id is null
          union all
          select v.agent_id, v.version, v.approval_id, a.id, a.status
            from policy_version v join approval a on a.id = v.approval_id
           where a.job_id <> v.call_id`,
  },
  {
    name: 'each agent is suspended if somebody has suspended it last, and otherwise not',
    sql: `select a.id as agent, a.status, s.status as decided
            from agent a
            left join (select distinct on (agent_id) agent_id, status from suspension
                        order by agent_id, id desc) s on s.agent_id = a.id
           where a.status <> coalesce(s.status, 'active')`,
  },
  {
    name: 'each suspension by an operator is in the audit log, as of the same moment',
    sql: `select s.id as suspension, s.agent_id, s.status, s.operator
            from suspension s
           where s.operator is not null and not exists (
             select from audit_log l
              where l.object_kind = 'agent' and l.object_id = s.agent_id::text
                and l.operator = s.operator and l.error is null
                and l.created_at = s.created_at
                and l.operation = case s.status when 'suspended' then 'operator_suspend_agent'
                                                else 'operator_resume_agent' end)`,
  },
  {
    name: 'each anomaly that suspends has suspended its agent, and no other has suspended one',
    sql: `select a.id as anomaly, a.agent_id, a.suspends, s.id as suspension,
                 s.agent_id as suspended
            from anomaly a full join (select * from suspension where anomaly_id is not null) s
              on s.anomaly_id = a.id
           where a.suspends is distinct from (s.id is not null)
              or s.agent_id <> a.agent_id or s.status <> 'suspended'`,
  },
];
