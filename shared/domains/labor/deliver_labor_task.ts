import assert from 'node:assert/strict';

import { operation } from '../../kernel/operation.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Amount, Id, Input, Nullable, OneOf, Output, Text, Time } from '../../kernel/schema.ts';
import { PublicText } from '../../kernel/text.ts';
import { toUsd } from '../../kernel/money.ts';
import { execute } from '../../platform/rows.ts';
import { VERIFICATION_MS_MAX, type Verdict } from '../verification/verification_gateway.ts';
import {
  acceptanceOf,
  CLAIM_STATUSES,
  findClaims,
  waitsForRule,
  type ClaimOfUnit,
} from './claims.ts';
import { closeIfDone } from './judging.ts';
import { PAYLOAD_CHARS_MAX, VERDICT_MINUTES } from './labor_task.ts';
import { findLabor, lockClaims, type LockedLabor } from './locked_claims.ts';
import { findOwnClaim, leaseEnded } from './own_claims.ts';
import { formAnswerOf } from './templates/answer_form.ts';
import { verify } from './verification/verify.ts';

export const deliverLaborTask = operation({
  name: 'deliver_labor_task',
  title: 'Deliver a unit of a labor task',
  summary:
    'Delivers your answer to a unit while its lease lasts. accepted: you are ' +
    'paid now. verifying: a rule or the poster decides; it is accepted after accepted_at. ' +
    'rejected: you can appeal once, within 24 hours. An answer that does not fit the json_schema ' +
    'or template is refused: deliver another. Free.',
  phrasings: `
    send the answer of a claimed unit; deliver a label, transcription or translation; submit my
    finished microtask; here are the labels for assignment 802; submit HIT answer; send my
    annotation or transcript; done with the unit, result attached; return the completed
    microtask; hand over classified item; submit microtask; deliver labels; send my translation;
    hand in the unit; finish labeling; complete my claim; submit answer for a claim id; return
    my annotation; upload transcript; deliver micro work and be paid; submit classification;
    here is my label; I transcribed it; the label is cat; done labeling, send it; give back the
    finished unit; my answer for the unit; turn in the translation`,
  access: 'any',
  mode: 'job',
  queue: 'network',
  gatherMs: VERIFICATION_MS_MAX,
  rest: 'POST /api/v1/labor/:task_id/deliver',
  refusals: ['not_found', 'claim_expired', 'invalid_transition', 'verification_failed'],
  input: Input({
    task_id: Id('The labor task.'),
    claim_id: Id('The claim. From take_labor_task.'),
    submission: PublicText(Text(1, PAYLOAD_CHARS_MAX, 'Your answer.')),
  }),
  output: Output('LaborDelivery', {
    claim_id: Id('The claim.'),
    task_id: Id('The labor task.'),
    status: OneOf(CLAIM_STATUSES, 'accepted, rejected or verifying.'),
    paid: Amount('Paid to you for it so far.'),
    accepted_at: Nullable(Time('Accepted then if nobody judges it.')),
    appeal_by: Nullable(Time('Last time to appeal.')),
  }),

  /** The schema the answer must fit; null: there is none, or the call will be refused anyway. */
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
    assertHasForm(task, { payload: claim.payload, answer: submission });
    if (task.json_schema) assertFits(task, verdict);
    await verify(tx, task, claim.id);
    await closeIfDone(tx, task_id);
    const [after] = await findClaims(tx.db, 'where c.id = $1', [claim_id]);
    const { status } = after!;
    return {
      claim_id,
      task_id,
      status,
      paid: status === 'accepted' ? toUsd(task.reward) : 0,
      accepted_at: acceptanceOf(after!, task)?.toISOString() ?? null,
      appeal_by: status === 'rejected' ? after!.due_at!.toISOString() : null,
    };
  },
});

/** A refused answer leaves the claim open. The texts of a schema are its poster's: untrusted. */
function assertFits({ id }: LockedLabor, verdict: Verdict | null): void {
  assert(verdict, `an answer to labor task ${id} was not judged`);
  const { passes, failures } = verdict;
  if (passes) return;
  const message = `The answer does not fit the json_schema of labor task ${id}; failures say why.`;
  throw new Refusal('verification_failed', message, {
    failures: { untrusted: true, content: failures },
  });
}

/** A refused answer leaves the claim open, whatever judges it afterwards. */
function assertHasForm(
  { id, template }: LockedLabor,
  given: { readonly payload: string; readonly answer: string },
): void {
  const read = template && formAnswerOf(template, given);
  if (!read || !('fault' in read)) return;
  const message = `The answer does not fit the template of labor task ${id}: it ${read.fault}.`;
  const failure = { pointer: '', message: read.fault, rule: '/template/form' };
  throw new Refusal('verification_failed', message, {
    failures: { untrusted: true, content: [failure] },
  });
}

/**
 * Locks the claim, the trees that may be paid and, for a consensus, all other claims of its unit.
 * Where the poster judges, a delivery pays nobody, so no tree is locked.
 */
async function lockOwnClaim(
  tx: Tx,
  of: { taskId: number; claimId: number },
): Promise<{ claim: ClaimOfUnit; task: LockedLabor }> {
  const claim = await findOwnClaim(tx, of);
  const [task] = await findLabor(tx.db, [of.taskId]);
  if (task!.verification === 'manual') return { claim, task: task! };
  const units = task!.verification === 'consensus' ? [claim.unit_id] : [];
  const locked = await lockClaims(tx.db, [claim.id], units);
  return locked.find(({ id }) => id === claim.id)!;
}

/** Records the delivery of a claim if its lease still lasts. */
async function deliver(
  { db }: Tx,
  claim: ClaimOfUnit,
  { submission, task }: { submission: string; task: LockedLabor },
): Promise<void> {
  const { id } = claim;
  const isLater = waitsForRule(claim, task);
  const delivered = await execute(
    db,
    `with delivered as (
       update labor_claim set status = 'verifying', submission = $2, delivered_at = now(),
              for_poster = $4, due_at = now() + make_interval(mins => $3)
        where id = $1 and status = 'claimed' and due_at > now()
        returning task_id, root_id)
     update labor_worker w set delivered = w.delivered + 1 from delivered d
      where w.task_id = d.task_id and w.root_id = d.root_id`,
    [
      id,
      submission,
      isLater ? VERDICT_MINUTES : task.auto_accept_hours * 60,
      task.verification === 'manual' && !isLater,
    ],
  );
  if (delivered > 0) return;
  const [now] = await findClaims(db, 'where c.id = $1', [id]);
  const { status } = now!;
  if (['claimed', 'expired', 'released'].includes(status)) throw leaseEnded(id);
  throw new Refusal('invalid_transition', `Claim ${id} was delivered before.`, { status });
}
