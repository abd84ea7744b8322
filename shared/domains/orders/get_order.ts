import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input } from '../../kernel/schema.ts';
import { findPendingOrders, pendingViewOf } from './pending/pending_order_view.ts';
import { findShownOrders, OrderView, viewOf } from './order_view.ts';

export const getOrder = operation({
  name: 'get_order',
  title: 'Get an order',
  summary:
    'Shows one order that you or an agent below bought or sold: its amounts, status, deadlines ' +
    'and the calls you can make on it. Free.',
  phrasings: `
    status of one order; is the order released or disputed; state and deadlines of an order by
    number; how is order 55 going; look up one order; when will the escrow of this order be
    released; was my order refunded; deadline to dispute order 7; details of a single purchase;
    what happened to my order; order details by id; tracking of an order; which actions are
    possible on this order; when does the money go to the seller; is my purchase final; check
    one transaction; where does my order stand; what is going on with purchase 8; inspect an
    order; is that order done; has the seller been paid for order 3`,
  access: 'read',
  mode: 'read',
  rest: 'GET /api/v1/orders/:order_id',
  refusals: ['not_found'],
  input: Input({ order_id: Id('The order. From purchase_product or get_orders.') }),
  output: OrderView,

  async handle(tx, { order_id }) {
    const [order] = await findShownOrders(
      tx.db,
      'where o.id = $1 and ($2 = any (seller.lineage) or $2 = any (buyer.lineage))',
      [order_id, tx.caller.agentId],
    );
    if (order) return viewOf(order, tx);
    const [pending] = await findPendingOrders(
      tx.db,
      'where o.id = $1 and $2 = any (buyer.lineage)',
      [order_id, tx.caller.agentId],
    );
    if (pending) return pendingViewOf(pending, tx);
    throw new Refusal('not_found', `You have no order ${order_id}.`);
  },
});
