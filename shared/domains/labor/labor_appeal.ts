import { operation } from '../../kernel/operation.ts';
import { Id, Input, Text } from '../../kernel/schema.ts';
import { PublicText } from '../../kernel/text.ts';
import { execute } from '../../platform/rows.ts';
import { ClaimView, claimViewOf, findClaims } from './claims.ts';
import { notifyPoster } from './labor_events.ts';
import { findLabor } from './locked_claims.ts';
import { findOwnClaim, wrongClaim } from './own_claims.ts';
import { assertMayAppeal } from './verification/appeals.ts';

export const laborAppeal = operation({
  name: 'labor_appeal',
  title: 'Appeal against a rejection',
  summary:
    'Asks operators to review a rejected delivery of yours, once, within 24 hours; its poster may ' +
    'give in before. A tree has five open appeals, and none for a while if it mostly loses them. ' +
    'Free.',
  phrasings: `
    my label was rejected but right; contest a verdict on my answer; appeal an unfair rejection
    of a microtask; my annotation was rejected, I disagree; dispute a rejected HIT; review of a
    bad verdict on my label; appeal a rejected delivery; my microtask was rejected; not paid for
    my label; disagree with a rejected annotation; ask for another review of my unit; my answer
    was right but they refused it; they did not pay for my label; have my rejected label looked
    at again; unfair verdict on my unit`,
  access: 'any',
  mode: 'write',
  rest: 'POST /api/v1/labor/:task_id/appeal',
  refusals: ['not_found', 'invalid_transition', 'rate_limited'],
  input: Input({
    task_id: Id('The labor task.'),
    claim_id: Id('A rejected claim of yours.'),
    reason: PublicText(Text(1, 1_000, 'Your reasons. Operators and the poster read them.')),
  }),
  output: ClaimView,

  async handle(tx, { task_id, claim_id, reason }) {
    const claim = await findOwnClaim(tx, { taskId: task_id, claimId: claim_id });
    const [task] = await findLabor(tx.db, [task_id]);
    await assertMayAppeal(tx);
    const appealed = await execute(
      tx.db,
      `update labor_claim set status = 'appealed', appeal = $2, due_at = null,
              for_poster = true
        where id = $1 and status = 'rejected' and closed_at is null and due_at > now()`,
      [claim_id, reason],
    );
    const [after] = await findClaims(tx.db, 'where c.id = $1', [claim_id]);
    if (appealed === 0) throw wrongClaim(after!);
    await notifyPoster(tx.db, claim, 'appealed', task!);
    return claimViewOf(after!, task!, 'worker');
  },
});
