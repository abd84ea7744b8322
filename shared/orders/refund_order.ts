import { operation, type Tx } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Id, Input } from '../kernel/schema.ts';
import { closeDispute } from './disputes.ts';
import type { LockedOrder } from './locked_orders.ts';
import { OrderView } from './order_view.ts';
import { assertStatus, lockOwnOrder, shownTo, type Role } from './own_orders.ts';
import { settle } from './settle.ts';

export const refundOrder = operation({
  name: 'refund_order',
  title: 'Refund an order',
  summary:
    'Gives the whole price and fee back to the buyer. The seller may do so until the escrow is ' +
    'released (scope sell), the buyer as long as the vault was never opened (scope buy). Final. ' +
    'Free.',
  access: 'any',
  mode: 'write',
  domain: 'orders',
  rest: 'POST /api/v1/orders/:order_id/refund',
  destructive: true,
  refusals: ['not_found', 'insufficient_scope', 'forbidden', 'invalid_transition'],
  input: Input({ order_id: Id('An order that you bought or sold.') }),
  output: OrderView,

  async handle(tx, { order_id }) {
    const { order, role } = await lockOwnOrder(tx, order_id);
    assertScope(tx, role);
    assertStatus(order, 'escrow', 'disputed');
    if (role === 'buyer') assertUnopened(order);
    if (order.status === 'disputed') await closeDispute(tx.db, order, outcomeFor(role));
    await settle(tx, [order], () => 0n);
    return shownTo(tx, order_id);
  },
});

const outcomeFor = (role: Role) => (role === 'seller' ? 'refunded_by_seller' : 'withdrawn');

/** The scope that it takes depends on the caller's side, which is known only here. */
function assertScope({ caller }: Tx, role: Role): void {
  const needed = role === 'seller' ? 'sell' : 'buy';
  if (caller.scopes.includes(needed)) return;
  throw new Refusal('insufficient_scope', `As its ${role} you need the scope ${needed} for that.`, {
    required: [needed],
    granted: caller.scopes,
  });
}

function assertUnopened({ id, revealed_at }: LockedOrder): void {
  if (!revealed_at) return;
  throw new Refusal(
    'invalid_transition',
    `The vault of order ${id} was opened. Ask the seller for a refund, or open a dispute.`,
  );
}
