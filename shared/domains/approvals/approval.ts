import { Id, OneOf, Output, Text, Type, type Static } from '../../kernel/schema.ts';
import type { Tx } from '../../kernel/tx.ts';
import { field, view } from '../../kernel/view.ts';
import { column, rows, type Row } from '../../platform/rows.ts';

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

const VIEW = view('Approval', {
  approval_id: field.id('The approval.'),
  status: field.oneOf(STATUSES, 'approved: see its job for the result.'),
  agent_id: field.id('The agent that called.'),
  username: field.text('Name of the agent that called.'),
  operation: field.text('The operation called.'),
  amount: field.amount('Maximum cost.'),
  product_type: field.orNull(field.text('Category for policies; null: no spending.')),
  product_id: field.orNull(field.id('The product to buy.')),
  title: field.orNull(field.text('Title of the item to pay for; null: none.')),
  seller_id: field.orNull(field.id('The seller; null: the platform.')),
  seller: field.orNull(field.name('Name of the seller.')),
  quantity: field.whole('Units; 0: not a purchase.'),
  changes: field.orNull(field.json(Changes)),
  rule: field.oneOf(ASKING_RULES, 'The policy field that requires it.'),
  asks_above: field.orNull(
    field.amount('Amount above which the policy requires approval; null: any.'),
  ),
  policy_of: field.id(
    'The agent whose policy requires it. Agents above it decide; a root decides itself.',
  ),
  job_id: field.asIs(Text(36, 36, 'Job of the call, for get_job.'), column.text),
  requested_at: field.time('Time of the call.'),
  expires_at: field.time('Deadline; the call is refused then.'),
  decided_at: field.orNull(field.time('Time of the decision.')),
  decided_by: field.orNull(field.id('The agent that decided; null: none.')),
  refused_because: field.orNull(field.text('Refusal of the approved call.')),
});

/** A call that an owner must approve first, as seen by the agents that it concerns. */
export const ApprovalView = Output('Approval', {
  ...VIEW.schema.properties,
  available_actions: Type.Array(OneOf(ACTIONS, 'An operation.'), {
    maxItems: ACTIONS.length,
    description: 'Operations you can call on it.',
  }),
});

const COLUMNS = { ...VIEW.columns, is_theirs: column.boolean, is_due: column.boolean };
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
  return rows(
    db,
    COLUMNS,
    `select approval.id as approval_id, approval.status, approval.agent_id, agent.username,
            approval.operation, amount, product_type, product_id,
            coalesce(product.title, approval.title) as title, approval.seller_id,
            seller.username as seller, approval.quantity, changes, rule, asks_above, policy_of,
            job_id, requested_at, approval.expires_at, decided_at, decided_by,
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
  ...VIEW.show(approval),
  available_actions: actionsOf(approval, caller.agentId),
});

function actionsOf({ status, is_due, is_theirs, agent_id }: Approval, by: number): Action[] {
  if (status !== 'pending' || is_due) return [];
  return [
    ...(is_theirs ? (['decide_approval'] as const) : []),
    ...(agent_id === by ? (['cancel_approval'] as const) : []),
  ];
}
