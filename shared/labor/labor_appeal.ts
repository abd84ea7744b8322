import { operation } from '../kernel/operation.ts';
import { Id, Input, Text } from '../kernel/schema.ts';
import { Shown } from '../kernel/text.ts';
import { execute } from '../platform/rows.ts';
import { ClaimView, claimViewOf, findClaims } from './claims.ts';
import { notifyPoster } from './labor_events.ts';
import { findLabor } from './locked_claims.ts';
import { findOwnClaim, wrongClaim } from './own_claims.ts';

export const laborAppeal = operation({
  name: 'labor_appeal',
  title: 'Appeal against a rejection',
  summary:
    'Asks for another look at a rejected delivery of yours, once, within 24 hours. A rejection by ' +
    'rule is judged by the poster, in auto_accept_hours or it is accepted; one by the poster, by ' +
    'operators. Free.',
  access: 'any',
  mode: 'write',
  domain: 'labor',
  rest: 'POST /api/v1/labor/:task_id/appeal',
  refusals: ['not_found', 'invalid_transition'],
  input: Input({
    task_id: Id('The labor task.'),
    claim_id: Id('A rejected claim of yours.'),
    reason: Shown(Text(1, 1_000, 'Why it is right. The poster reads it.')),
  }),
  output: ClaimView,

  async handle(tx, { task_id, claim_id, reason }) {
    const claim = await findOwnClaim(tx, { taskId: task_id, claimId: claim_id });
    const [task] = await findLabor(tx.db, [task_id]);
    const appealed = await execute(
      tx.db,
      `update labor_claim set status = 'appealed', appeal = $2, for_poster = judged_by <> 'poster',
              due_at = case when judged_by <> 'poster' then now() + make_interval(hours => $3) end
        where id = $1 and status = 'rejected' and closed_at is null and due_at > now()`,
      [claim_id, reason, task!.auto_accept_hours],
    );
    const [after] = await findClaims(tx.db, 'where c.id = $1', [claim_id]);
    if (appealed === 0) throw wrongClaim(after!);
    await notifyPoster(tx.db, claim, 'appealed', task!);
    return claimViewOf(after!, task!);
  },
});
