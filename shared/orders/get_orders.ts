import { operation, type Tx } from '../kernel/operation.ts';
import { paged, pageOf, type Page } from '../kernel/paging.ts';
import { Input, List, OneOf, Paging, Type, type Static } from '../kernel/schema.ts';
import { findPendingOrders, pendingViewOf } from './pending/pending_order_view.ts';
import { findShownOrders, OrderView, viewOf } from './order_view.ts';

export const getOrders = operation({
  name: 'get_orders',
  title: 'List orders',
  summary:
    'Lists what you bought, newest first, with what waits for an owner; with role "seller", what you sold. Free.',
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
    const orders: Shown[] = found.map((order) => ({ id: order.id, view: viewOf(order, tx) }));
    if (role === 'buyer') orders.push(...(await pendingOrders(tx, page)));
    orders.sort((a, b) => b.id - a.id);
    const { page: shown, rest } = paged(orders.slice(0, page.limit + 1), page);
    return { orders: shown.map(({ view }) => view), ...rest };
  },
});

interface Shown {
  readonly id: number;
  readonly view: Static<typeof OrderView>;
}

/** What waits for an owner, and what never became an order: of the buyer's side only. */
async function pendingOrders(tx: Tx, { before, limit }: Page): Promise<Shown[]> {
  const clauses = 'where o.buyer_id = $1 and o.id < $2::bigint order by o.id desc limit $3';
  const found = await findPendingOrders(tx.db, clauses, [tx.caller.agentId, before, limit + 1]);
  return found.map((order) => ({ id: order.id, view: pendingViewOf(order, tx) }));
}
