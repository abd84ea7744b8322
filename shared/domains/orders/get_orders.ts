import { selectedAgents, AgentFilter } from '../agents/tree/below.ts';
import { newestOf } from '../agents/tree/newest.ts';
import { operation } from '../../kernel/operation.ts';
import type { Tx } from '../../kernel/tx.ts';
import { CountedList, pageAfter, paged, pageOf } from '../../kernel/paging.ts';
import { Input, OneOf, Paging, Type, type Static } from '../../kernel/schema.ts';
import { STATUSES } from './order.ts';
import {
  findPendingOrders,
  PENDING_STATUSES,
  pendingViewOf,
} from './pending/pending_order_view.ts';
import { findShownOrders, OrderView, viewOf } from './order_view.ts';
import { findOrderKeys, ORDER_SORTS, sortedIds } from './sorted_orders.ts';

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
    sort: Type.Optional(OneOf(ORDER_SORTS, 'Sorts the newest 1 000.')),
    ...Paging,
  }),
  output: CountedList('OrderList', 'orders', OrderView),

  async handle(tx, { role = 'buyer', status, agent_id, below, sort, ...paging }) {
    const agents = await selectedAgents(tx, { agent_id, below });
    const side = role === 'buyer' ? 'buyer_id' : 'seller_id';
    const isPlaced = STATUSES.find((one) => one === status);
    const isPending = PENDING_STATUSES.find((one) => one === status);
    const lists = [
      ...(isPending ? [] : [{ table: 'orders', column: side, where: isOf(isPlaced) } as const]),
      ...(role === 'seller' || isPlaced
        ? []
        : [{ table: 'pending_order', column: side, where: isOf(isPending) } as const]),
    ];
    const keys = sort && (await findOrderKeys(tx.db, agents, lists));
    const counted = keys && { total_count: keys.length };
    if (keys && sort !== 'newest') {
      const { page: ids, rest } = pageAfter(sortedIds(keys, sort), paging);
      const found = await findEach(tx, lists, 'where o.id = any ($1::bigint[])', [ids]);
      const views = new Map(found.map(({ id, view }) => [id, view]));
      return { orders: ids.flatMap((id) => views.get(id) ?? []), ...rest, ...counted };
    }
    const page = pageOf(paging);
    const found: OrderEntry[] = [];
    for (const list of lists) {
      const clauses = `where o.id in (${newestOf(list)}) order by o.id desc limit $3`;
      const parameters = [agents, page.before, page.limit + 1];
      found.push(...(await findEach(tx, [list], clauses, parameters)));
    }
    found.sort((a, b) => b.id - a.id);
    const { page: shown, rest } = paged(found.slice(0, page.limit + 1), page);
    return { orders: shown.map(({ view }) => view), ...rest, ...counted };
  },
});

interface OrderEntry {
  readonly id: number;
  readonly view: Static<typeof OrderView>;
}

/** Finds the orders of these lists: placed ones, and pending ones of buyers. */
async function findEach(
  tx: Tx,
  lists: readonly { readonly table: 'orders' | 'pending_order' }[],
  clauses: string,
  parameters: readonly unknown[],
): Promise<OrderEntry[]> {
  const entries: OrderEntry[] = [];
  for (const { table } of lists) {
    if (table === 'orders') {
      const found = await findShownOrders(tx.db, clauses, parameters);
      entries.push(...found.map((order) => ({ id: order.id, view: viewOf(order, tx) })));
    } else {
      const found = await findPendingOrders(tx.db, clauses, parameters);
      entries.push(...found.map((order) => ({ id: order.id, view: pendingViewOf(order, tx) })));
    }
  }
  return entries;
}

type Status = (typeof STATUSES)[number] | (typeof PENDING_STATUSES)[number];

const isOf = (status?: Status) => (status ? `status = '${status}'` : undefined);
