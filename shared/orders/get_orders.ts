import { operation } from '../kernel/operation.ts';
import { paged, pageOf } from '../kernel/paging.ts';
import { Input, List, OneOf, Paging, Type } from '../kernel/schema.ts';
import { findShownOrders, OrderView, viewOf } from './order_view.ts';

export const getOrders = operation({
  name: 'get_orders',
  title: 'List orders',
  summary: 'Lists what you bought, newest first; with role "seller", what you sold. Free.',
  access: 'read',
  mode: 'read',
  domain: 'orders',
  rest: 'GET /api/v1/orders',
  core: true,
  input: Input({
    role: Type.Optional(OneOf(['buyer', 'seller'], 'Whose orders; buyer if absent.')),
    ...Paging,
  }),
  output: List('orders', OrderView),

  async handle(tx, { role = 'buyer', ...paging }) {
    const { agentId } = tx.caller;
    const page = pageOf(paging);
    const found = await findShownOrders(
      tx.db,
      `where o.${role === 'buyer' ? 'buyer_id' : 'seller_id'} = $1 and o.id < $2::bigint
       order by o.id desc limit $3`,
      [agentId, page.before, page.limit + 1],
    );
    const { page: orders, rest } = paged(found, page);
    return { orders: orders.map((order) => viewOf(order, tx)), ...rest };
  },
});
