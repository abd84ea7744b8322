import { toUsd } from '../../kernel/money.ts';
import {
  Amount,
  Id,
  Nullable,
  OneOf,
  Output,
  Text,
  Time,
  Type,
  type Static,
} from '../../kernel/schema.ts';
import { shownName } from '../../kernel/text.ts';
import type { Tx } from '../../kernel/tx.ts';
import { column, jsonOf, nullable, oneOf, rows, type Row } from '../../platform/rows.ts';

export const STATUSES = ['pending', 'approved', 'denied', 'cancelled', 'expired'] as const;
export type Status = (typeof STATUSES)[number];

/**
 * Fields of a policy that can require an approval. governance_level: the level is high, and the
 * agent had an anomaly within a day, withdraws, or would loosen a policy.
 */
const ASKING_RULES = ['approval_threshold', 'new_seller_threshold', 'governance_level'] as const;
export type AskingRule = (typeof ASKING_RULES)[number];

/** The operations on an approval that its parties can call. */
const ACTIONS = ['decide_approval', 'cancel_approval'] as const;
type Action = (typeof ACTIONS)[number];

const Value = (description: string) =>
  Type.Union([Type.Number(), Type.String(), Type.Boolean(), Type.Null()], { description });
const Changes = Output('PolicyChanges', {
  agent_id: Id('The agent the policy applies to.'),
  fields: Type.Array(
    Output({
      field: Type.String({ description: 'Name of the field.' }),
      from: Value('Value at the time of the request.'),
      to: Value('Requested value.'),
    }),
    { description: 'Changes that would allow more.' },
  ),
});
/** Changes of a policy that would allow more. */
export type Changes = Static<typeof Changes>;

/** A call that an owner must approve first, as seen by the agents that it concerns. */
export const ApprovalView = Output('Approval', {
  approval_id: Id('The approval.'),
  status: OneOf(STATUSES, 'approved: see its job for the result.'),
  agent_id: Id('The agent that called.'),
  username: Type.String({ description: 'Name of the agent that called.' }),
  operation: Type.String({ description: 'The operation called.' }),
  amount: Amount('Maximum cost.'),
  product_type: Nullable(Type.String({ description: 'Category for policies; null: no spending.' })),
  product_id: Nullable(Id('The product to buy.')),
  title: Nullable(Type.String({ description: 'Title of the item to pay for; null: none.' })),
  seller_id: Nullable(Id('The seller; null: the platform.')),
  seller: Nullable(Type.String({ description: 'Name of the seller.' })),
  quantity: Type.Integer({ description: 'Units; 0: not a purchase.' }),
  changes: Nullable(Changes),
  rule: OneOf(ASKING_RULES, 'The policy field that requires it.'),
  asks_above: Nullable(Amount('Amount above which the policy requires approval; null: any.')),
  policy_of: Id(
    'The agent whose policy requires it. Agents above it decide; a root decides itself.',
  ),
  job_id: Text(36, 36, 'Job of the call, for get_job.'),
  requested_at: Time('Time of the call.'),
  expires_at: Time('Deadline; the call is refused then.'),
  decided_at: Nullable(Time('Time of the decision.')),
  decided_by: Nullable(Id('The agent that decided; null: none.')),
  refused_because: Nullable(Type.String({ description: 'Refusal of the approved call.' })),
  available_actions: Type.Array(OneOf(ACTIONS, 'An operation.'), {
    maxItems: ACTIONS.length,
    description: 'Operations you can call on it.',
  }),
});

const OF_APPROVAL = {
  id: column.id,
  job_id: column.text,
  agent_id: column.id,
  policy_of: column.id,
  rule: oneOf<AskingRule>(),
  asks_above: nullable(column.micros),
  operation: column.text,
  amount: column.micros,
  product_type: nullable(column.text),
  changes: nullable(jsonOf<Changes>()),
  product_id: nullable(column.id),
  seller_id: nullable(column.id),
  quantity: column.int,
  status: oneOf<Status>(),
  requested_at: column.time,
  expires_at: column.time,
  decided_at: nullable(column.time),
  decided_by: nullable(column.id),
};
const COLUMNS = {
  ...OF_APPROVAL,
  username: column.text,
  title: nullable(column.text),
  seller: nullable(column.text),
  refused_because: nullable(column.text),
  is_theirs: column.boolean,
  is_due: column.boolean,
};
/** An approval, and whether the caller may decide it. */
export type Approval = Row<typeof COLUMNS>;

/**
 * Approvals of calls by the caller or by agents below it. `rest` is the remaining SQL: further
 * conditions and the order, with parameters from $3 on. `is_theirs`: the caller may decide. An
 * agent that the policy limits may not, except a root, which sets its own policy.
 */
export function findApprovals(
  { db, caller }: Pick<Tx, 'db' | 'caller'>,
  rest: string,
  parameters: readonly unknown[],
): Promise<Approval[]> {
  const own = Object.keys(OF_APPROVAL).map((name) => `approval.${name}`);
  return rows(
    db,
    COLUMNS,
    `select ${own.join(', ')}, agent.username, seller.username as seller,
            coalesce(product.title, approval.title) as title,
            approval.expires_at <= now() as is_due,
            case when approval.status = 'approved' and job.http_status >= 400
                 then job.answer->>'message' end as refused_because,
            case when policy_of = $1 then policy_of = approval.root_id
                 else $1 = any (asks.lineage) end as is_theirs
       from approval
       join agent on agent.id = approval.agent_id
       join agent asks on asks.id = approval.policy_of
       left join product on product.id = approval.product_id
       left join agent seller on seller.id = approval.seller_id
       left join job on job.id = approval.job_id
      where approval.root_id = $2 and $1::bigint = any (agent.lineage) and ${rest}`,
    [caller.agentId, caller.rootId, ...parameters],
  );
}

export const viewOf = (approval: Approval, { caller }: Pick<Tx, 'caller'>) => ({
  approval_id: approval.id,
  status: approval.status,
  agent_id: approval.agent_id,
  username: approval.username,
  operation: approval.operation,
  amount: toUsd(approval.amount),
  product_type: approval.product_type,
  product_id: approval.product_id,
  title: approval.title,
  seller_id: approval.seller_id,
  seller: approval.seller && shownName(approval.seller),
  quantity: approval.quantity,
  changes: approval.changes,
  rule: approval.rule,
  asks_above: approval.asks_above === null ? null : toUsd(approval.asks_above),
  policy_of: approval.policy_of,
  job_id: approval.job_id,
  requested_at: approval.requested_at.toISOString(),
  expires_at: approval.expires_at.toISOString(),
  decided_at: approval.decided_at?.toISOString() ?? null,
  decided_by: approval.decided_by,
  refused_because: approval.refused_because,
  available_actions: actionsOf(approval, caller.agentId),
});

function actionsOf({ status, is_due, is_theirs, agent_id }: Approval, by: number): Action[] {
  if (status !== 'pending' || is_due) return [];
  return [
    ...(is_theirs ? (['decide_approval'] as const) : []),
    ...(agent_id === by ? (['cancel_approval'] as const) : []),
  ];
}
