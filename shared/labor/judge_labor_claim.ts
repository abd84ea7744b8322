import { operation } from '../kernel/operation.ts';
import { Id, Input, invalid, OneOf, Text, Type } from '../kernel/schema.ts';
import { Shown } from '../kernel/text.ts';
import { ClaimView, claimViewOf, findClaims, type ClaimOfUnit } from './claims.ts';
import { accept, closeIfDone, reject } from './judging.ts';
import { lockPostedClaim, wrongClaim } from './own_claims.ts';

export const judgeLaborClaim = operation({
  name: 'judge_labor_claim',
  title: 'Judge a delivery',
  summary:
    'Accepts or rejects a delivery of a labor task that you posted. accept pays its worker the ' +
    'reward from escrow. reject needs a reason; the worker can appeal once, within 24 hours. ' +
    'What you do not judge is accepted. Free.',
  access: 'sell',
  mode: 'write',
  domain: 'labor',
  rest: 'POST /api/v1/labor/:task_id/claims/:claim_id/judge',
  destructive: true,
  refusals: ['not_found', 'forbidden', 'invalid_transition'],
  input: Input({
    task_id: Id('A labor task of yours.'),
    claim_id: Id('A delivery of it that is verifying or appealed. From labor_claims.'),
    verdict: OneOf(['accept', 'reject'], 'accept pays its worker.'),
    reason: Type.Optional(Shown(Text(1, 1_000, 'Why you reject it. Its worker reads it.'))),
  }),
  output: ClaimView,

  async handle(tx, { task_id, claim_id, verdict, reason }) {
    const { claim, task } = await lockPostedClaim(tx, { taskId: task_id, claimId: claim_id });
    if (!waitsForPoster(claim)) throw wrongClaim(claim);
    if (verdict === 'accept') await accept(tx, task, [claim], 'poster');
    else if (reason) await reject(tx.db, task, [claim], { by: 'poster', reason });
    else throw invalid([{ pointer: '/reason', message: 'is missing: say why you reject it' }]);
    await closeIfDone(tx, task_id);
    const [after] = await findClaims(tx.db, 'where c.id = $1', [claim_id]);
    return claimViewOf(after!, task);
  },
});

/** An appeal against its own verdict is an operator's. */
const waitsForPoster = ({ status, judged_by }: ClaimOfUnit): boolean =>
  status === 'verifying' || (status === 'appealed' && judged_by !== 'poster');
