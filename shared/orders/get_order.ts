import { operation } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Id, Input } from '../kernel/schema.ts';
import { findPendingOrders, pendingViewOf } from './pending/pending_order_view.ts';
import { findShownOrders, OrderView, viewOf } from './order_view.ts';

export const getOrder = operation({
  name: 'get_order',
  title: 'Get an order',
  summary:
    'Shows one order that you or an agent below bought or sold: what was paid, its status, its ' +
    'deadlines and what you can do with it. Free.',
  access: 'read',
  mode: 'read',
  domain: 'orders',
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
    throw new Refusal('not_found', `There is no order ${order_id} among yours.`);
  },
});
