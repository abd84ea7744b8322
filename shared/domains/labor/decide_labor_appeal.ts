import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, OneOf, Text } from '../../kernel/schema.ts';
import { PublicText } from '../../kernel/text.ts';
import { execute } from '../../platform/rows.ts';
import { ClaimView, claimViewOf, findClaims } from './claims.ts';
import { accept, closeIfDone, reject } from './judging.ts';
import { lockUnitOf } from './locked_claims.ts';
import { wrongClaim } from './own_claims.ts';
import { recordAppeal } from './verification/appeals.ts';
import { withdrawKnownAnswer } from './verification/doubts.ts';

export const decideLaborAppeal = operation({
  name: 'decide_labor_appeal',
  title: 'Decide an appeal of labor',
  summary:
    'Operators: decides an appeal against the rejection of a delivery. accept of one that a known ' +
    'answer rejected withdraws that answer.',
  access: 'operator',
  mode: 'write',
  rest: 'POST /api/v1/admin/disputes/labor/:claim_id/verdict',
  bindings: { tool: false },
  effects: { actsOn: { kind: 'labor_claim', field: 'claim_id' }, destructive: true },
  refusals: ['not_found', 'invalid_transition'],
  input: Input({
    claim_id: Id('An appealed claim.'),
    verdict: OneOf(['accept', 'reject'], 'accept pays its worker. reject is final.'),
    note: PublicText(Text(1, 1_000, 'The reasons. Both parties read them.')),
  }),
  output: ClaimView,

  async handle(tx, { claim_id, verdict, note }) {
    const unit = await lockUnitOf(tx.db, claim_id);
    const locked = unit.find(({ id }) => id === claim_id);
    if (!locked) throw new Refusal('not_found', `There is no claim ${claim_id}.`);
    const { claim, task } = locked;
    if (claim.status !== 'appealed') throw wrongClaim(claim);
    await recordAppeal(tx.db, task, { rootId: claim.root_id, isWon: verdict === 'accept' });
    if (verdict === 'accept') {
      await accept(tx, task, [claim], 'operator');
      const sql = 'update labor_dispute set note = $2 where claim_id = $1';
      await execute(tx.db, sql, [claim_id, note]);
      const isOfGold = claim.judged_by === 'gold' && claim.expected !== null;
      if (isOfGold) await withdrawKnownAnswer(tx, task, claim.unit_id);
    } else await reject(tx.db, task, [claim], { by: 'operator', reason: note });
    await closeIfDone(tx, task.id);
    const [after] = await findClaims(tx.db, 'where c.id = $1', [claim_id]);
    return claimViewOf(after!, task, 'poster');
  },
});
