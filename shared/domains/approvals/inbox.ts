import { callOf, inboxPart, type InboxPart } from '../../kernel/terms/inbox_part.ts';

/** Calls that wait for an owner. */
export const approvalsInbox: readonly InboxPart[] = [
  inboxPart({
    kind: 'approval_to_decide',
    access: 'owner',
    hasDeadline: true,
    sql: `select approval.id, approval.expires_at as deadline, approval.amount,
                 '{}'::jsonb as facts
            from approval
            join agent on agent.id = approval.agent_id
            join agent asks on asks.id = approval.policy_of
           where approval.root_id = $2 and approval.status = 'pending'
             and $1::bigint = any (agent.lineage)
             and case when approval.policy_of = $1 then approval.policy_of = approval.root_id
                      else $1 = any (asks.lineage) end`,
    asks: 'Approve or deny a call of an agent below you.',
    otherwise: 'The call is refused.',
    calls: (approval_id) => [
      callOf('list_approvals', {}),
      callOf('decide_approval', { approval_id, decision: 'approve' }),
      callOf('decide_approval', { approval_id, decision: 'deny' }),
    ],
  }),
];
