import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, invalid, OneOf, Text, Type } from '../../kernel/schema.ts';
import { PublicText } from '../../kernel/text.ts';
import { ClaimView, claimViewOf, findClaims, type ClaimOfUnit } from './claims.ts';
import { accept, closeIfDone, reject } from './judging.ts';
import { lockPostedClaim, wrongClaim } from './own_claims.ts';
import { agrees } from './verification/answers.ts';

export const judgeLaborClaim = operation({
  name: 'judge_labor_claim',
  title: 'Judge a delivery',
  summary:
    'Accepts or rejects a delivery of a labor task that you posted and that waits for you. accept ' +
    'pays its worker the reward from escrow. reject needs a reason; the worker can appeal to ' +
    'operators once, within 24 hours. Deliveries you do not judge are accepted. Free.',
  phrasings: `
    grade the answer of a worker; accept or reject a delivery of a microtask; decide if a label
    is right; approve or reject a HIT assignment; this worker's label is wrong, reject; accept
    annotation and pay; review an answer; accept a label; reject a delivery; check the work of a
    labeler; approve micro work; evaluate an annotation; decide about a claim; review worker
    answers; pay or refuse a unit; is this label good, decide; pay the labeler; turn down a bad
    label; mark an answer as right or wrong; check and accept deliveries`,
  access: 'sell',
  mode: 'write',
  rest: 'POST /api/v1/labor/:task_id/claims/:claim_id/judge',
  effects: { destructive: true },
  refusals: ['not_found', 'forbidden', 'invalid_transition'],
  input: Input({
    task_id: Id('A labor task of yours.'),
    claim_id: Id('A delivery of it that waits for you, or is appealed. From labor_claims.'),
    verdict: OneOf(['accept', 'reject'], 'accept pays its worker. An appeal can be accepted only.'),
    reason: Type.Optional(
      PublicText(Text(1, 1_000, 'Reason for the rejection. Its worker reads it.')),
    ),
  }),
  output: ClaimView,

  async handle(tx, { task_id, claim_id, verdict, reason }) {
    const which = { taskId: task_id, claimId: claim_id };
    const { claim, task, others } = await lockPostedClaim(tx, which);
    if (!waitsForPoster(claim, verdict)) {
      throw claim.status === 'verifying' ? judgedByRule(claim) : wrongClaim(claim);
    }
    const isSame = (one: ClaimOfUnit) =>
      one.submission !== null && agrees(task, one.submission, claim.submission!);
    if (verdict === 'accept') {
      // The poster has said what is right, also for whom it has rejected for the same answer.
      const same = others.filter(
        (one) => (waitsForPoster(one, verdict) || isRejected(one)) && isSame(one),
      );
      await accept(tx, task, [claim, ...same], 'poster');
    } else if (!reason) {
      throw invalid([{ pointer: '/reason', message: "must be given when verdict is 'reject'" }]);
    } else {
      const paid = others.find((one) => one.status === 'accepted' && isSame(one));
      if (paid) throw sameAsPaid(claim, paid);
      await reject(tx.db, task, [claim], { by: 'poster', reason });
    }
    await closeIfDone(tx, task_id);
    const [after] = await findClaims(tx.db, 'where c.id = $1', [claim_id]);
    return claimViewOf(after!, task, 'poster');
  },
});

/** Whether the poster may judge so now. Operators decide an appeal, unless it gives in before. */
const waitsForPoster = (claim: ClaimOfUnit, verdict: 'accept' | 'reject'): boolean =>
  (claim.status === 'verifying' && claim.for_poster) ||
  (claim.status === 'appealed' && verdict === 'accept');

const judgedByRule = ({ id, status }: ClaimOfUnit) =>
  new Refusal(
    'invalid_transition',
    `Claim ${id} is judged by the rule of its task. You are asked if that cannot decide.`,
    { status },
  );

/** Whether the poster has rejected it, and that is not final. */
const isRejected = ({ status, judged_by: by, closed_at: closedAt }: ClaimOfUnit): boolean =>
  status === 'rejected' && by === 'poster' && closedAt === null;

const sameAsPaid = ({ id }: ClaimOfUnit, paid: ClaimOfUnit) =>
  new Refusal(
    'invalid_transition',
    `The answer of claim ${id} is the same as that of claim ${paid.id}, which was accepted.`,
    { same_as: paid.id },
  );
