import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, OneOf, Text } from '../../kernel/schema.ts';
import { PublicText } from '../../kernel/text.ts';
import { ClaimView, claimViewOf, findClaims } from './claims.ts';
import { accept, closeIfDone, reject } from './judging.ts';
import { lockClaims } from './locked_claims.ts';
import { wrongClaim } from './own_claims.ts';

export const decideLaborAppeal = operation({
  name: 'decide_labor_appeal',
  title: 'Decide an appeal of labor',
  summary: 'Operators: decides an appeal against the rejection of a delivery by its poster.',
  access: 'operator',
  mode: 'write',
  rest: 'POST /api/v1/admin/disputes/labor/:claim_id/verdict',
  bindings: { tool: false },
  effects: { actsOn: { kind: 'labor_claim', field: 'claim_id' }, destructive: true },
  refusals: ['not_found', 'invalid_transition'],
  input: Input({
    claim_id: Id('An appealed claim that its poster rejected.'),
    verdict: OneOf(['accept', 'reject'], 'accept pays its worker. reject is final.'),
    note: PublicText(Text(1, 1_000, 'The reasons. Both parties read them.')),
  }),
  output: ClaimView,

  async handle(tx, { claim_id, verdict, note }) {
    const [locked] = await lockClaims(tx.db, [claim_id]);
    if (!locked) throw new Refusal('not_found', `There is no claim ${claim_id}.`);
    const { claim, task } = locked;
    if (claim.status !== 'appealed' || claim.judged_by !== 'poster') throw wrongClaim(claim);
    if (verdict === 'accept') await accept(tx, task, [claim], 'operator');
    else await reject(tx.db, task, [claim], { by: 'operator', reason: note });
    await closeIfDone(tx, task.id);
    const [after] = await findClaims(tx.db, 'where c.id = $1', [claim_id]);
    return claimViewOf(after!, task);
  },
});
