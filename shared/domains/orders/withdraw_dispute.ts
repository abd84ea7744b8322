import { operation } from '../../kernel/operation.ts';
import { Id, Input } from '../../kernel/schema.ts';
import { closeDisputes } from './disputes.ts';
import { OrderView } from './order_view.ts';
import { assertRole, assertStatus, lockOwnOrder, shownTo } from './own_orders.ts';
import { settle } from './settle.ts';

export const withdrawDispute = operation({
  name: 'withdraw_dispute',
  title: 'Withdraw a dispute',
  summary:
    'Ends your dispute in favour of the seller: the escrow is released at once. Final. Free.',
  phrasings: `
    drop my complaint; take back a dispute, changed my mind; the problem is solved, close the
    dispute; seller fixed it, cancel the dispute; I was wrong about the goods; retract my claim;
    stop the complaint and let the seller be paid; issue resolved, stop the case; end my claim;
    no more problem with the order; close my case against the seller; cancel a dispute I filed
    by mistake; undo the complaint; it works now, forget the dispute; I want to cancel my case;
    all sorted out with the seller; end the dispute I started`,
  access: 'buy',
  mode: 'write',
  rest: 'POST /api/v1/orders/:order_id/dispute/withdraw',
  effects: { destructive: true },
  refusals: ['not_found', 'forbidden', 'invalid_transition'],
  input: Input({ order_id: Id('An order of yours in dispute.') }),
  output: OrderView,

  async handle(tx, { order_id }) {
    const { order, role } = await lockOwnOrder(tx, order_id);
    assertRole(role, 'buyer');
    assertStatus(order, 'disputed');
    await closeDisputes(tx.db, [order], 'withdrawn');
    await settle(tx, [order], ({ subtotal }) => subtotal);
    return shownTo(tx, order_id);
  },
});
