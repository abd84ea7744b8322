import { holdLiveKey } from '../agents/own_keys.ts';
import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, OneOf } from '../../kernel/schema.ts';
import { decide, ApprovalDecision, lockApproval } from './decision.ts';

export const decideApproval = operation({
  name: 'decide_approval',
  title: 'Approve or deny a call',
  summary:
    'Approves or denies a call of an agent below you that waits for you. An approved call is ' +
    'performed once, unchanged, if limits, price, stock and balance still allow it; a denied one ' +
    'is refused. The calling agent gets an event. Free.',
  phrasings: `
    approve or deny a request of my agent; allow a purchase that waits; say yes or no to a
    child; let that purchase through; deny the spend of my bot; sign off a pending request; yes,
    my child may buy it; reject what my subagent asked for; approve a purchase; deny a purchase;
    give permission; accept the request of a bot; let my agent buy it; refuse what my bot wants;
    confirm the pending spend; grant or decline; yes, go ahead with it; no, do not buy that; my
    bot wants to buy, fine with me; answer the request of my agent; let it through; permit the
    purchase; turn down the request`,
  access: 'owner',
  owners: { actsBelow: true },
  mode: 'write',
  rest: 'POST /api/v1/approvals/:approval_id/:decision',
  effects: { destructive: true, idempotent: true },
  refusals: ['not_found', 'invalid_transition'],
  input: Input({
    approval_id: Id('The approval. See list_approvals.'),
    decision: OneOf(['approve', 'deny'], 'Your final decision.'),
  }),
  output: ApprovalDecision,

  async handle(tx, { approval_id, decision }) {
    const approval = await lockApproval(tx, approval_id);
    if (!approval.is_theirs) {
      throw new Refusal(
        'forbidden',
        `Only agents above agent ${approval.policy_of}, whose policy applies, may decide this.`,
      );
    }
    await holdLiveKey(tx);
    return decide(tx, approval, decision === 'approve' ? 'approved' : 'denied');
  },
});
