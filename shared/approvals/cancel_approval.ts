import { operation } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Id, Input } from '../kernel/schema.ts';
import { decide, Decided, lockApproval } from './decision.ts';

export const cancelApproval = operation({
  name: 'cancel_approval',
  title: 'Take back a call',
  summary:
    'Takes back a call of yours that waits for an owner: it is refused, and nothing is done. Free.',
  access: 'any',
  mode: 'write',
  domain: 'approvals',
  rest: 'POST /api/v1/approvals/:approval_id/cancel',
  idempotent: true,
  refusals: ['not_found', 'forbidden', 'invalid_transition'],
  input: Input({ approval_id: Id('The approval_id of the answer to the call.') }),
  output: Decided,

  async handle(tx, { approval_id }) {
    const approval = await lockApproval(tx, approval_id);
    if (approval.agent_id !== tx.caller.agentId) {
      throw new Refusal('forbidden', 'Only the agent that called may take its call back.');
    }
    return decide(tx, approval, 'cancelled');
  },
});
