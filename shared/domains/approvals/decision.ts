import assert from 'node:assert';

import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, OneOf, Output, Text } from '../../kernel/schema.ts';
import { emit, eventsFor } from '../events/events.ts';
import { toUsd } from '../../kernel/money.ts';
import { column, execute, nullable, row, type Row } from '../../platform/rows.ts';
import { findApprovals, STATUSES, type Approval, type Status } from './approval.ts';
import { REFUSALS } from './ask.ts';
import { agentsOfApproval } from './event_agents.ts';

type Decision = Exclude<Status, 'pending'>;

export const ApprovalDecision = Output('ApprovalDecision', {
  approval_id: Id('The approval.'),
  status: OneOf(STATUSES, 'New status.'),
  job_id: Text(36, 36, 'Job of the call. See get_job.'),
});

/** Locks the approval: of two decisions at the same time, the second waits. */
export async function lockApproval(tx: Tx, id: number): Promise<Approval> {
  const [approval] = await findApprovals(tx, 'approval.id = $3 for no key update of approval', [
    id,
  ]);
  if (approval) return approval;
  throw new Refusal('not_found', 'You have no approval with this approval_id.');
}

/** Decides a locked approval as the caller. Repeating the same decision changes nothing. */
export async function decide(tx: Tx, approval: Approval, decision: Exclude<Decision, 'expired'>) {
  const { approval_id, status, is_due, job_id } = approval;
  const decided = { approval_id, status: decision, job_id };
  if (status === decision) return decided;
  if (status !== 'pending') {
    throw new Refusal('invalid_transition', `This approval is already ${status}.`, { status });
  }
  if (is_due) throw new Refusal('invalid_transition', 'The deadline of this approval has passed.');
  await close(tx, approval, decision);
  return decided;
}

/** Ends a locked approval that nobody decided in time. */
export async function expire(tx: Tx, id: number): Promise<void> {
  const sql = `
    select id as approval_id, job_id, agent_id, policy_of, amount, product_id, quantity
      from approval where id = $1`;
  await close(tx, await row(tx.db, PENDING, sql, [id]), 'expired');
}

const PENDING = {
  approval_id: column.id,
  job_id: column.text,
  agent_id: column.id,
  policy_of: column.id,
  amount: column.micros,
  product_id: nullable(column.id),
  quantity: column.int,
};
type Pending = Row<typeof PENDING>;

/** Queues an approved call for a worker; refuses it after every other decision. */
async function close(tx: Tx, pending: Pending, decision: Decision): Promise<void> {
  const by = decision === 'expired' ? [null, null] : [tx.caller.agentId, tx.caller.keyId];
  await execute(
    tx.db,
    `update approval set status = $2, decided_at = now(), decided_by = $3, key_id = $4
      where id = $1`,
    [pending.approval_id, decision, ...by],
  );
  if (decision === 'approved') {
    assert(await tx.resumeJob(pending.job_id), 'a pending approval has its job');
  } else await refuse(tx, pending, decision);
  await tell(tx, pending, decision);
}

async function refuse(
  tx: Tx,
  { approval_id, job_id, policy_of }: Pending,
  decision: keyof typeof REFUSALS,
): Promise<void> {
  const { request_id: requestId, operation } = await row(
    tx.db,
    { request_id: column.text, operation: column.text },
    'select request_id, operation from job where id = $1',
    [job_id],
  );
  const [code, message] = REFUSALS[decision];
  const why = new Refusal(code, message, { approval_id, policy_of });
  await tx.refuseJob({ id: job_id, operation, requestId }, why);
}

async function tell({ db, caller }: Tx, approval: Pending, decision: Decision): Promise<void> {
  const type = `approval.${decision}` as const;
  const object = { kind: 'approval' as const, id: approval.approval_id, status: decision };
  const data = {
    agent_id: approval.agent_id,
    amount: toUsd(approval.amount),
    quantity: approval.quantity,
    ...(approval.product_id !== null && { product_id: approval.product_id }),
    ...(decision !== 'expired' && { decided_by: caller.agentId }),
  };
  await emit(db, eventsFor(await agentsOfApproval(db, approval), { type, object, data }));
}
