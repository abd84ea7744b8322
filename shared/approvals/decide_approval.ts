import { holdLiveKey } from '../agents/own_keys.ts';
import { operation } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Id, Input, OneOf } from '../kernel/schema.ts';
import { decide, Decided, lockApproval } from './decision.ts';

export const decideApproval = operation({
  name: 'decide_approval',
  title: 'Approve or deny a call',
  summary:
    'Decides about a call of an agent below yours that waits for you. Approved, it is performed ' +
    'once, as it was made, if limits, price, stock and balance still allow it; denied, it is ' +
    'refused. The agent that called hears of it by an event. Free.',
  access: 'owner',
  actsBelow: true,
  mode: 'write',
  domain: 'approvals',
  rest: 'POST /api/v1/approvals/:approval_id/:decision',
  destructive: true,
  idempotent: true,
  refusals: ['not_found', 'invalid_transition'],
  input: Input({
    approval_id: Id('The approval. From list_approvals.'),
    decision: OneOf(['approve', 'deny'], 'What you decide. It is final.'),
  }),
  output: Decided,

  async handle(tx, { approval_id, decision }) {
    const approval = await lockApproval(tx, approval_id);
    if (!approval.is_theirs) {
      throw new Refusal(
        'forbidden',
        `Agents above agent ${approval.policy_of}, whose policy asks, decide about this.`,
      );
    }
    await holdLiveKey(tx);
    return decide(tx, approval, decision === 'approve' ? 'approved' : 'denied');
  },
});
