import { emit, eventsFor } from '../events/events.ts';
import { toUsd, type Micros } from '../../kernel/money.ts';
import type { DeferredCall, RecordedDeferral } from '../../jobs/deferral.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Output, Time, Type } from '../../kernel/schema.ts';
import { fingerprintOf, PURPOSE } from '../../jobs/jobs.ts';
import { column, execute, nullable, row, rows } from '../../platform/rows.ts';
import type { AskingRule, Changes } from './approval.ts';
import { agentsOfApproval } from './event_agents.ts';

/** Hours that an owner has to decide. */
const HOURS = 24;
/** Maximum calls of an agent that wait at once. */
const PENDING_MAX = 100;

/** The answer, 202, to a call that an owner must approve first. */
export const ApprovalRequired = Output('ApprovalRequired', {
  status: Type.Literal('approval_required'),
  approval_id: Id('Its id in list_approvals, where an agent above this one decides.'),
  expires_at: Time('Deadline for the decision; the call is refused then.'),
  poll: Type.String({ description: 'Path of get_job for the result of the call.' }),
});

/** Refusals of calls that were not approved. */
export const REFUSALS = {
  denied: [
    'approval_denied',
    'An owner has denied this call, and nothing was done. Do not repeat it unchanged: request ' +
      'less, or something else.',
  ],
  cancelled: [
    'approval_cancelled',
    'This agent has cancelled the call, and nothing was done. Call again to request it again.',
  ],
  expired: [
    'approval_expired',
    'No owner decided in time, and nothing was done. Call again to request approval again.',
  ],
} as const;

/** A request to an owner to approve a call. */
export interface Question {
  /** The agent whose policy requires approval; if several do, the one nearest the root. */
  readonly policyOf: number;
  readonly rule: AskingRule;
  /** Amount above which the policy requires approval. Absent: every call of this operation. */
  readonly asksAbove?: Micros;
  readonly amount: Micros;
  /** Category of the spend. Absent: the call is no spend. */
  readonly productType?: string;
  readonly quantity: number;
  /** Title of the item to pay for, if it is no product. */
  readonly title?: string | undefined;
  readonly changes?: Changes;
  readonly productId?: number | undefined;
  readonly sellerId?: number | undefined;
}

/**
 * Records a request for approval, and emits its event to the caller and to those who may decide. A
 * call without a key joins an equal one that waits already. A call that was approved, and costs
 * more by now, is refused.
 */
export async function ask(
  tx: Tx,
  question: Question,
  call: DeferredCall,
): Promise<RecordedDeferral> {
  // Only one call of an agent asks at a time, so the counts and equal calls found stay valid.
  await execute(tx.db, 'select from agent where id = $1 for no key update', [tx.caller.agentId]);
  await assertNotApproved(tx, question);
  const hash = await hashOf(tx, call);
  const pending = hash && (await findPending(tx, hash));
  if (pending) return { body: bodyOf(pending), isRepeat: true };
  await assertFewPending(tx);
  const asked = await insert(tx, question, { operation: call.operation, hash });
  await tell(tx, question, asked.id);
  return { body: bodyOf(asked), isRepeat: false };
}

const ASKED = { id: column.id, job_id: column.text, expires_at: column.time };

const bodyOf = ({ id, job_id, expires_at }: { id: number; job_id: string; expires_at: Date }) => ({
  status: 'approval_required' as const,
  approval_id: id,
  expires_at: expires_at.toISOString(),
  poll: `/api/v1/jobs/${job_id}`,
});

/** Refuses a call that costs more than was approved: an approval holds up to its amount. */
async function assertNotApproved(tx: Tx, { policyOf, amount }: Question): Promise<void> {
  const [approved] = await rows(
    tx.db,
    { amount: column.micros },
    `select amount from approval
      where job_id = $1 and status = 'approved'
        and policy_of = any (select unnest(lineage) from agent where id = $2)
      order by amount desc limit 1`,
    [tx.key, policyOf],
  );
  if (!approved) return;
  const [total, most] = [toUsd(amount), toUsd(approved.amount)];
  throw new Refusal(
    'price_changed',
    `This costs $${total} now, and an owner approved $${most}. Call again to request approval of ` +
      'the new amount.',
    { total_due: total, approved: most },
  );
}

/** The hash that equal calls share; null: a call with a key equals only its own repeats. */
async function hashOf(tx: Tx, { operation, input }: DeferredCall): Promise<Buffer | null> {
  const sql = 'select key from job where id = $1';
  const [job] = await rows(tx.db, { key: nullable(column.text) }, sql, [tx.key]);
  if (job && job.key !== null) return null;
  return tx.secrets.hash(PURPOSE, fingerprintOf(operation, input)).hash;
}

async function findPending({ db, caller }: Tx, hash: Buffer) {
  const [pending] = await rows(
    db,
    ASKED,
    `select id, job_id, expires_at from approval
      where agent_id = $1 and input_hash = $2 and status = 'pending'`,
    [caller.agentId, hash],
  );
  return pending;
}

async function assertFewPending({ db, caller }: Tx): Promise<void> {
  const { pending } = await row(
    db,
    { pending: column.int },
    `select count(*) as pending from approval where agent_id = $1 and status = 'pending'`,
    [caller.agentId],
  );
  if (pending < PENDING_MAX) return;
  throw new Refusal(
    'rate_limited',
    `${PENDING_MAX} calls of this agent already wait for approval. Cancel some, or wait.`,
    { limit: PENDING_MAX, used: pending },
  );
}

function insert(
  { db, key, caller }: Tx,
  question: Question,
  { operation, hash }: { operation: string; hash: Buffer | null },
) {
  const { policyOf, rule, asksAbove, amount, productType, quantity, productId, sellerId } =
    question;
  return row(
    db,
    ASKED,
    `insert into approval (job_id, agent_id, root_id, policy_of, rule, asks_above, operation,
                           amount, product_type, product_id, seller_id, quantity, input_hash,
                           title, changes, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
             now() + interval '${HOURS} hours')
     returning id, job_id, expires_at`,
    [
      key,
      caller.agentId,
      caller.rootId,
      policyOf,
      rule,
      asksAbove ?? null,
      operation,
      amount,
      productType ?? null,
      productId ?? null,
      sellerId ?? null,
      quantity,
      hash,
      question.title ?? null,
      question.changes ?? null,
    ],
  );
}

async function tell({ db, caller }: Tx, question: Question, id: number): Promise<void> {
  const { agentId } = caller;
  const { policyOf, amount, productId, quantity } = question;
  const object = { kind: 'approval' as const, id, status: 'pending' };
  const data = {
    agent_id: agentId,
    amount: toUsd(amount),
    quantity,
    ...(productId !== undefined && { product_id: productId }),
  };
  const concerned = await agentsOfApproval(db, { agent_id: agentId, policy_of: policyOf });
  const type = 'approval.requested';
  await emit(db, eventsFor(concerned, { type, object, data }));
}
