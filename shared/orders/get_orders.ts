import { agentsAsked, OfAgents } from '../agents/tree/below.ts';
import { newestOf } from '../agents/tree/newest.ts';
import { operation, type Tx } from '../kernel/operation.ts';
import { paged, pageOf, type Page } from '../kernel/paging.ts';
import { Input, List, OneOf, Paging, Type, type Static } from '../kernel/schema.ts';
import { STATUSES } from './order.ts';
import {
  findPendingOrders,
  PENDING_STATUSES,
  pendingViewOf,
} from './pending/pending_order_view.ts';
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
  refusals: ['not_found'],
  input: Input({
    role: Type.Optional(OneOf(['buyer', 'seller'], 'Whose orders; buyer if absent.')),
    status: Type.Optional(OneOf([...PENDING_STATUSES, ...STATUSES], 'Only these.')),
    ...OfAgents,
    ...Paging,
  }),
  output: List('orders', OrderView),

  async handle(tx, { role = 'buyer', status, agent_id, below, ...paging }) {
    const agents = await agentsAsked(tx, {
      ...(agent_id && { agent_id }),
      ...(below && { below }),
    });
    const page = pageOf(paging);
    const side = role === 'buyer' ? 'buyer_id' : 'seller_id';
    const isPlaced = STATUSES.find((one) => one === status);
    const isPending = PENDING_STATUSES.find((one) => one === status);
    const orders: Shown[] = [];
    if (!isPending) {
      const found = await findShownOrders(
        tx.db,
        `where o.id in (${newestOf({ table: 'orders', column: side, where: isOf(isPlaced) })})
          order by o.id desc limit $3`,
        [agents, page.before, page.limit + 1],
      );
      orders.push(...found.map((order) => ({ id: order.id, view: viewOf(order, tx) })));
    }
    if (role === 'buyer' && !isPlaced) {
      orders.push(...(await pendingOrders(tx, agents, { ...page, status: isPending })));
    }
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
async function pendingOrders(
  tx: Tx,
  agents: readonly number[],
  { before, limit, status }: Page & { status: Status | undefined },
): Promise<Shown[]> {
  const asked = { table: 'pending_order', column: 'buyer_id', where: isOf(status) };
  const clauses = `where o.id in (${newestOf(asked)}) order by o.id desc limit $3`;
  const found = await findPendingOrders(tx.db, clauses, [agents, before, limit + 1]);
  return found.map((order) => ({ id: order.id, view: pendingViewOf(order, tx) }));
}

type Status = (typeof STATUSES)[number] | (typeof PENDING_STATUSES)[number];

const isOf = (status?: Status) => (status ? `status = '${status}'` : undefined);
