import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input } from '../../kernel/schema.ts';
import { decide, ApprovalDecision, lockApproval } from './decision.ts';

export const cancelApproval = operation({
  name: 'cancel_approval',
  title: 'Cancel a waiting call',
  summary:
    'Cancels a call of yours that waits for approval: it is refused, and nothing is done. Free.',
  phrasings: `
    take back my request for approval; withdraw a call that waits for the owner; no longer ask
    my owner; never mind, drop the pending request; withdraw what I asked my owner for; cancel
    the call that waits for a human; cancel my request; no need for approval any more; withdraw
    a pending request; retract the call that waits; I do not need that purchase approved; my
    owner need not decide any more; forget my request; remove what I asked for; stop waiting for
    approval`,
  access: 'any',
  mode: 'write',
  rest: 'POST /api/v1/approvals/:approval_id/cancel',
  effects: { idempotent: true },
  refusals: ['not_found', 'forbidden', 'invalid_transition'],
  input: Input({ approval_id: Id('The approval_id in the answer to the call.') }),
  output: ApprovalDecision,

  async handle(tx, { approval_id }) {
    const approval = await lockApproval(tx, approval_id);
    if (approval.agent_id !== tx.caller.agentId) {
      throw new Refusal('forbidden', 'Only the agent that made this call may cancel it.');
    }
    return decide(tx, approval, 'cancelled');
  },
});
