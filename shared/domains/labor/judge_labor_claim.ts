import { operation } from '../../kernel/operation.ts';
import { Id, Input, invalid, OneOf, Text, Type } from '../../kernel/schema.ts';
import { PublicText } from '../../kernel/text.ts';
import { ClaimView, claimViewOf, findClaims, type ClaimOfUnit } from './claims.ts';
import { accept, closeIfDone, reject } from './judging.ts';
import { lockPostedClaim, wrongClaim } from './own_claims.ts';

export const judgeLaborClaim = operation({
  name: 'judge_labor_claim',
  title: 'Judge a delivery',
  summary:
    'Accepts or rejects a delivery of a labor task that you posted. accept pays its worker the ' +
    'reward from escrow. reject needs a reason; the worker can appeal once, within 24 hours. ' +
    'Deliveries you do not judge are accepted. Free.',
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
    claim_id: Id('A delivery of it that is verifying or appealed. From labor_claims.'),
    verdict: OneOf(['accept', 'reject'], 'accept pays its worker.'),
    reason: Type.Optional(
      PublicText(Text(1, 1_000, 'Reason for the rejection. Its worker reads it.')),
    ),
  }),
  output: ClaimView,

  async handle(tx, { task_id, claim_id, verdict, reason }) {
    const { claim, task } = await lockPostedClaim(tx, { taskId: task_id, claimId: claim_id });
    if (!waitsForPoster(claim)) throw wrongClaim(claim);
    if (verdict === 'accept') await accept(tx, task, [claim], 'poster');
    else if (reason) await reject(tx.db, task, [claim], { by: 'poster', reason });
    else throw invalid([{ pointer: '/reason', message: "must be given when verdict is 'reject'" }]);
    await closeIfDone(tx, task_id);
    const [after] = await findClaims(tx.db, 'where c.id = $1', [claim_id]);
    return claimViewOf(after!, task);
  },
});

/** Whether the poster judges now. An appeal against its own verdict is for operators to decide. */
const waitsForPoster = ({ status, judged_by }: ClaimOfUnit): boolean =>
  status === 'verifying' || (status === 'appealed' && judged_by !== 'poster');
