import assert from 'node:assert/strict';

import { operation, type Tx } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Amount, Id, Input, Nullable, OneOf, Output, Text, Time } from '../kernel/schema.ts';
import { Shown } from '../kernel/text.ts';
import { toUsd } from '../ledger/money.ts';
import { execute } from '../platform/rows.ts';
import { VERIFICATION_MS_MAX, type Verdict } from '../verification/verification_gateway.ts';
import { CLAIM_STATUSES, findClaims, type ClaimOfUnit } from './claims.ts';
import { closeIfDone } from './judging.ts';
import { PAYLOAD_CHARS_MAX } from './labor_task.ts';
import { findLabor, lockClaims, type LockedLabor } from './locked_claims.ts';
import { findOwnClaim } from './own_claims.ts';
import { verify } from './verification/verify.ts';

export const deliverLaborTask = operation({
  name: 'deliver_labor_task',
  title: 'Deliver a unit of a labor task',
  summary:
    'Delivers your answer to a unit while its lease lasts. accepted: you are ' +
    'paid the reward now. verifying: others, or the poster, decide; after accepted_at it is accepted. ' +
    'rejected: you can appeal once, within 24 hours. An answer that does not fit the ' +
    'json_schema of its task is refused, and you can deliver another. Free.',
  access: 'any',
  mode: 'job',
  domain: 'labor',
  queue: 'network',
  gatherMs: VERIFICATION_MS_MAX,
  rest: 'POST /api/v1/labor/:task_id/deliver',
  core: true,
  refusals: ['not_found', 'claim_expired', 'invalid_transition', 'verification_failed'],
  input: Input({
    task_id: Id('The labor task.'),
    claim_id: Id('The claim. From take_labor_task.'),
    submission: Shown(Text(1, PAYLOAD_CHARS_MAX, 'Your answer.')),
  }),
  output: Output('LaborDelivery', {
    claim_id: Id('Of this delivery.'),
    task_id: Id('The labor task.'),
    status: OneOf(CLAIM_STATUSES, 'accepted, rejected or verifying.'),
    paid: Amount('What you got for it by now.'),
    accepted_at: Nullable(Time('When it is accepted if nobody judges it.')),
    appeal_by: Nullable(Time('Until when you can appeal.')),
  }),

  /** What the answer must fit; null: nothing, or this call will be refused anyway. */
  async prepare(tx, { task_id, claim_id }) {
    const { status } = await findOwnClaim(tx, { taskId: task_id, claimId: claim_id });
    if (status !== 'claimed') return null;
    const [task] = await findLabor(tx.db, [task_id]);
    return task!.json_schema;
  },

  gather: async ({ verification }, { submission }, { tree }, json_schema) =>
    json_schema && verification.judge({ json_schema }, submission, { tree }),

  async handle(tx, { task_id, claim_id, submission }, verdict) {
    const { claim, task } = await lockOwnClaim(tx, { taskId: task_id, claimId: claim_id });
    await deliver(tx, claim, { submission, task });
    if (task.json_schema) assertFits(task, verdict);
    await verify(tx, task, claim.id);
    await closeIfDone(tx, task_id);
    const [after] = await findClaims(tx.db, 'where c.id = $1', [claim_id]);
    const { status, due_at } = after!;
    return {
      claim_id,
      task_id,
      status,
      paid: status === 'accepted' ? toUsd(task.reward) : 0,
      accepted_at: status === 'verifying' ? due_at!.toISOString() : null,
      appeal_by: status === 'rejected' ? due_at!.toISOString() : null,
    };
  },
});

/** Refused, the claim goes on. The words of a schema are its poster's. */
function assertFits({ id }: LockedLabor, verdict: Verdict | null): void {
  assert(verdict, `an answer to labor task ${id} was not judged`);
  const { passes, failures } = verdict;
  if (passes) return;
  const message = `The answer does not fit the json_schema of labor task ${id}; failures say why.`;
  throw new Refusal('verification_failed', message, {
    failures: { untrusted: true, content: failures },
  });
}

/**
 * The trees that may be paid are locked with it, and of a consensus all other claims of its unit.
 * A poster that judges by itself is not paid from here, so its tree is not locked.
 */
async function lockOwnClaim(
  tx: Tx,
  of: { taskId: number; claimId: number },
): Promise<{ claim: ClaimOfUnit; task: LockedLabor }> {
  const claim = await findOwnClaim(tx, of);
  const [task] = await findLabor(tx.db, [of.taskId]);
  if (claim.expected === null && task!.verification === 'manual') return { claim, task: task! };
  const units = task!.verification === 'consensus' ? [claim.unit_id] : [];
  const locked = await lockClaims(tx.db, [claim.id], units);
  return locked.find(({ id }) => id === claim.id)!;
}

/** The claim is delivered, if its lease goes on at this moment. */
async function deliver(
  { db }: Tx,
  { id, expected }: ClaimOfUnit,
  { submission, task }: { submission: string; task: LockedLabor },
): Promise<void> {
  const delivered = await execute(
    db,
    `update labor_claim set status = 'verifying', submission = $2, delivered_at = now(),
            for_poster = $4, due_at = now() + make_interval(hours => $3)
      where id = $1 and status = 'claimed' and due_at > now()`,
    [id, submission, task.auto_accept_hours, task.verification === 'manual' && expected === null],
  );
  if (delivered > 0) return;
  const [now] = await findClaims(db, 'where c.id = $1', [id]);
  const { status } = now!;
  if (['claimed', 'expired', 'released'].includes(status)) {
    const message = `Claim ${id} is yours no more: its lease has ended. Take a unit again.`;
    throw new Refusal('claim_expired', message, { status: 'expired' });
  }
  throw new Refusal('invalid_transition', `Claim ${id} was delivered before.`, { status });
}
