import { selectedAgents, AgentFilter } from '../agents/tree/below.ts';
import { newestOf } from '../agents/tree/newest.ts';
import { operation } from '../../kernel/operation.ts';
import type { Tx } from '../../kernel/tx.ts';
import { paged, pageOf, type Page } from '../../kernel/paging.ts';
import { Input, List, OneOf, Paging, Type, type Static } from '../../kernel/schema.ts';
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
    'Lists your purchases, also those that wait for an owner, or with role "seller" your sales, ' +
    'newest first. For one in full, use get_order. Free.',
  phrasings: `
    what did I buy; purchases of mine, history of orders; sales to my customers, orders as
    seller; my recent orders; receipts of earlier shopping; everything I have bought so far;
    which of my buys are still in escrow; purchase history; list orders that are refunded or
    disputed; who bought from me, my sales; past purchases, invoices; my bills and receipts;
    earlier transactions as a buyer; orders so far; what purchases have I made; list everything
    ordered; show invoices; orders that are not completed; orders customers placed; what did
    this agent buy; what have I been buying; look back on my shopping; show what I ordered and
    when; list things I paid for; sold orders of my shop; find an old order`,
  access: 'read',
  mode: 'read',
  rest: 'GET /api/v1/orders',
  refusals: ['not_found'],
  input: Input({
    role: Type.Optional(OneOf(['buyer', 'seller'], 'Your side; buyer if absent.')),
    status: Type.Optional(OneOf([...PENDING_STATUSES, ...STATUSES], 'Only this status.')),
    ...AgentFilter,
    ...Paging,
  }),
  output: List('orders', OrderView),

  async handle(tx, { role = 'buyer', status, agent_id, below, ...paging }) {
    const agents = await selectedAgents(tx, {
      ...(agent_id && { agent_id }),
      ...(below && { below }),
    });
    const page = pageOf(paging);
    const side = role === 'buyer' ? 'buyer_id' : 'seller_id';
    const isPlaced = STATUSES.find((one) => one === status);
    const isPending = PENDING_STATUSES.find((one) => one === status);
    const orders: OrderEntry[] = [];
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

interface OrderEntry {
  readonly id: number;
  readonly view: Static<typeof OrderView>;
}

/** Finds purchases that wait for an owner or never became orders. The buyer's side only. */
async function pendingOrders(
  tx: Tx,
  agents: readonly number[],
  { before, limit, status }: Page & { status: Status | undefined },
): Promise<OrderEntry[]> {
  const asked = { table: 'pending_order', column: 'buyer_id', where: isOf(status) };
  const clauses = `where o.id in (${newestOf(asked)}) order by o.id desc limit $3`;
  const found = await findPendingOrders(tx.db, clauses, [agents, before, limit + 1]);
  return found.map((order) => ({ id: order.id, view: pendingViewOf(order, tx) }));
}

type Status = (typeof STATUSES)[number] | (typeof PENDING_STATUSES)[number];

const isOf = (status?: Status) => (status ? `status = '${status}'` : undefined);
