import { operation } from '../../kernel/operation.ts';
import { Id, Input, Output, Text } from '../../kernel/schema.ts';
import { execute } from '../../platform/rows.ts';
import { closeIfDone } from './judging.ts';
import { lockLabor } from './locked_claims.ts';
import { findOwnClaim, wrongClaim } from './own_claims.ts';

export const laborRelease = operation({
  name: 'labor_release',
  title: 'Give a unit back',
  summary:
    'Gives back a unit that you will not deliver, so that others get it. Another is had by ' +
    'take_labor_task. Free.',
  phrasings: `
    give a unit back; I cannot do it, drop my claim; let others do this piece; I give up this
    HIT; return the assignment unfinished; skip this item; unclaim a unit; drop a claimed unit;
    I do not want this microtask; return a unit; release my claim; give up a claim; cannot
    finish the unit; hand back a claimed microtask; this unit is too hard; someone else should
    label it; put the unit back; I quit this unit; free my claim; pass on this one`,
  access: 'any',
  mode: 'write',
  rest: 'POST /api/v1/labor/:task_id/release',
  refusals: ['not_found', 'invalid_transition'],
  input: Input({
    task_id: Id('The labor task.'),
    claim_id: Id('A claim of yours that is not delivered.'),
  }),
  output: Output('ReleasedClaim', {
    claim_id: Id('The claim.'),
    task_id: Id('The labor task.'),
    status: Text(1, 20, 'released'),
  }),

  async handle(tx, { task_id, claim_id }) {
    const { unit_id } = await findOwnClaim(tx, { taskId: task_id, claimId: claim_id });
    // This claim may be the last that a stopped task waits for: then the task is closed.
    await lockLabor(tx.db, [task_id]);
    const released = await execute(
      tx.db,
      `update labor_claim set status = 'released', due_at = null, closed_at = now()
        where id = $1 and status = 'claimed'`,
      [claim_id],
    );
    if (released === 0) {
      const own = await findOwnClaim(tx, { taskId: task_id, claimId: claim_id });
      throw wrongClaim(own);
    }
    const again = 'update labor_unit set free = free + 1, given_up_at = now() where id = $1';
    await execute(tx.db, again, [unit_id]);
    await closeIfDone(tx, task_id);
    return { claim_id, task_id, status: 'released' };
  },
});
