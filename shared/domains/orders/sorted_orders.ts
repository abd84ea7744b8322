import { SORTED_MAX } from '../../kernel/paging.ts';
import { newestMany } from '../agents/tree/newest.ts';
import { column, nullable, rows, type Database, type Row } from '../../platform/rows.ts';

export const ORDER_SORTS = ['newest', 'oldest', 'amount_desc', 'amount_asc', 'due'] as const;
type OrderSort = (typeof ORDER_SORTS)[number];

interface SortedList {
  readonly table: 'orders' | 'pending_order';
  readonly column: 'buyer_id' | 'seller_id';
  readonly where: string | undefined;
}

const KEYS = { id: column.id, amount: column.micros, due: nullable(column.time) };
type OrderKeys = Row<typeof KEYS>;

/** Sort keys of the newest orders of these agents in all these lists, newest first. */
export async function findOrderKeys(
  db: Database,
  agents: readonly number[],
  lists: readonly SortedList[],
): Promise<OrderKeys[]> {
  const found: OrderKeys[] = [];
  for (const list of lists) {
    const { sql, parameters } = newestMany(agents, list);
    const due = list.table === 'orders' ? 'o.release_at' : 'o.reserved_until';
    found.push(
      ...(await rows(
        db,
        KEYS,
        `select o.id, o.subtotal + o.fee as amount, ${due} as due
           from ${list.table} o where o.id = any (array(${sql}))`,
        parameters,
      )),
    );
  }
  return found.sort((a, b) => b.id - a.id).slice(0, SORTED_MAX);
}

/** The ids in this order; equal ones stay newest first. `keys` are newest first. */
export const sortedIds = (keys: readonly OrderKeys[], sort: OrderSort): number[] =>
  keys.toSorted(COMPARE[sort]).map(({ id }) => id);

type Compare = (a: OrderKeys, b: OrderKeys) => number;

const COMPARE: Readonly<Record<OrderSort, Compare>> = {
  newest: (a, b) => b.id - a.id,
  oldest: (a, b) => a.id - b.id,
  amount_desc: (a, b) => Number(b.amount - a.amount),
  amount_asc: (a, b) => Number(a.amount - b.amount),
  due: (a, b) => timeOf(a) - timeOf(b),
};

/** Orders without a deadline come last. */
const timeOf = ({ due }: OrderKeys): number => due?.getTime() ?? Number.MAX_SAFE_INTEGER;
