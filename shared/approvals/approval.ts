import { toUsd } from '../ledger/money.ts';
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
} from '../kernel/schema.ts';
import { shownName } from '../kernel/text.ts';
import type { Tx } from '../kernel/operation.ts';
import { column, jsonOf, nullable, oneOf, rows, type Row } from '../platform/rows.ts';

export const STATUSES = ['pending', 'approved', 'denied', 'cancelled', 'expired'] as const;
export type Status = (typeof STATUSES)[number];

/**
 * What a policy asks because of: the field of that name. governance_level: it is high, and the
 * agent did something odd within a day, withdraws, or would loosen a policy.
 */
export const ASKING_RULES = [
  'approval_threshold',
  'new_seller_threshold',
  'governance_level',
] as const;
export type AskingRule = (typeof ASKING_RULES)[number];

/** The operations on an approval that its parties can call. */
const ACTIONS = ['decide_approval', 'cancel_approval'] as const;
type Action = (typeof ACTIONS)[number];

const Value = (description: string) =>
  Type.Union([Type.Number(), Type.String(), Type.Boolean(), Type.Null()], { description });
const Changes = Output('PolicyChanges', {
  agent_id: Id('Whose policy.'),
  fields: Type.Array(
    Output({
      field: Type.String({ description: 'Of the policy.' }),
      from: Value('What it was when it was asked.'),
      to: Value('What it would be.'),
    }),
    { description: 'Those by which the policy would allow more.' },
  ),
});
/** A change of a policy by which it would allow more. */
export type Changes = Static<typeof Changes>;

/** A call that an owner has to allow first, as the agents that it concerns see it. */
export const ApprovalView = Output('Approval', {
  approval_id: Id('Its name.'),
  status: OneOf(STATUSES, 'approved: its job says how the call ended.'),
  agent_id: Id('The agent that called.'),
  username: Type.String({ description: 'Of that agent.' }),
  operation: Type.String({ description: 'What it called.' }),
  amount: Amount('The most that it may cost.'),
  product_type: Nullable(
    Type.String({ description: 'What policies count it as; null: no spend.' }),
  ),
  product_id: Nullable(Id('What is to be bought.')),
  title: Nullable(
    Type.String({ description: 'Of what is to be paid for, if it has one: the product of today.' }),
  ),
  seller_id: Nullable(Id('From whom; null: the platform.')),
  seller: Nullable(Type.String({ description: 'The username of the seller.' })),
  quantity: Type.Integer({ description: 'How many units; 0: it buys none.' }),
  changes: Nullable(Changes),
  rule: OneOf(ASKING_RULES, 'The field of the policy that asks.'),
  asks_above: Nullable(Amount('Above this the policy asks; null: whatever it costs.')),
  policy_of: Id('Whose policy asks. Agents above it decide, or itself if it is the root.'),
  job_id: Text(36, 36, 'The job of the call, for get_job.'),
  requested_at: Time('When it was called.'),
  expires_at: Time('Then the call is refused.'),
  decided_at: Nullable(Time('When it was decided.')),
  decided_by: Nullable(Id('By which agent; null: by none.')),
  available_actions: Type.Array(OneOf(ACTIONS, 'An operation.'), {
    maxItems: ACTIONS.length,
    description: 'Of yours.',
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
  is_theirs: column.boolean,
  is_due: column.boolean,
};
/** An approval, with what it is to the caller. */
export type Approval = Row<typeof COLUMNS>;

/**
 * Approvals of calls by the caller or by agents below it. `rest` is the rest of the condition, and
 * what follows it, with parameters from $3 on. `is_theirs`: the caller may decide. That is nobody
 * whom the policy limits, except for a root, which sets its own.
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
            case when policy_of = $1 then policy_of = approval.root_id
                 else $1 = any (asks.lineage) end as is_theirs
       from approval
       join agent on agent.id = approval.agent_id
       join agent asks on asks.id = approval.policy_of
       left join product on product.id = approval.product_id
       left join agent seller on seller.id = approval.seller_id
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
  available_actions: actionsOf(approval, caller.agentId),
});

function actionsOf({ status, is_due, is_theirs, agent_id }: Approval, by: number): Action[] {
  if (status !== 'pending' || is_due) return [];
  return [
    ...(is_theirs ? (['decide_approval'] as const) : []),
    ...(agent_id === by ? (['cancel_approval'] as const) : []),
  ];
}
