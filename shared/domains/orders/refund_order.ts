import { operation } from '../../kernel/operation.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input } from '../../kernel/schema.ts';
import { awaitsAccess } from '../products/dataset/access.ts';
import { closeDisputes } from './disputes.ts';
import type { LockedOrder } from './locked_orders.ts';
import { OrderView } from './order_view.ts';
import { assertStatus, lockOwnOrder, shownTo, type Role } from './own_orders.ts';
import { settle } from './settle.ts';

export const refundOrder = operation({
  name: 'refund_order',
  title: 'Refund an order',
  summary:
    'Returns the whole price and fee to the buyer. The seller may do so until the escrow is ' +
    'released (scope sell), the buyer until the vault is opened (scope buy). Final. ' +
    'Free.',
  phrasings: `
    return the money to the buyer; give a customer his money back; cancel a purchase that I have
    not opened; refund an order; buyer wants a refund, send it back; give the money back for
    order 12; return an unopened item; I bought it by mistake, reverse it; cancel my order
    before opening; undo a sale; give money back; reimburse the buyer; customer wants to return;
    void the sale; I do not want it any more, cancel order; send back unopened purchase; repay;
    reverse this transaction; I want to undo a purchase; pay the customer back; cancel and
    return; wrong item ordered, cancel before opening it; make the buyer whole`,
  access: 'any',
  mode: 'write',
  rest: 'POST /api/v1/orders/:order_id/refund',
  effects: { destructive: true },
  refusals: ['not_found', 'insufficient_scope', 'forbidden', 'invalid_transition'],
  input: Input({ order_id: Id('An order that you bought or sold.') }),
  output: OrderView,

  async handle(tx, { order_id }) {
    const { order, role } = await lockOwnOrder(tx, order_id);
    assertScope(tx, role);
    assertStatus(order, 'escrow', 'disputed');
    if (role === 'buyer') await assertUnopened(tx, order);
    if (order.status === 'disputed') await closeDisputes(tx.db, [order], outcomeFor(role));
    await settle(tx, [order], () => 0n);
    return shownTo(tx, order_id);
  },
});

const outcomeFor = (role: Role) => (role === 'seller' ? 'refunded_by_seller' : 'withdrawn');

/** Refuses a caller without the scope. It depends on the caller's side, known only here. */
function assertScope({ caller }: Tx, role: Role): void {
  const needed = role === 'seller' ? 'sell' : 'buy';
  if (caller.scopes.includes(needed)) return;
  throw new Refusal('insufficient_scope', `As its ${role} you need the scope ${needed}.`, {
    required: [needed],
    granted: caller.scopes,
  });
}

/** Refuses a buyer that opened its goods. The way to a dataset, without access, is none of them. */
async function assertUnopened({ db }: Tx, { id, revealed_at }: LockedOrder): Promise<void> {
  if (!revealed_at || (await awaitsAccess(db, id))) return;
  throw new Refusal(
    'invalid_transition',
    `The vault of order ${id} was opened. Ask the seller for a refund, or open a dispute.`,
  );
}
