import { SORTED_MAX } from '../../../kernel/paging.ts';
import { column, rows, type Database, type Row } from '../../../platform/rows.ts';
import { newestMany } from '../../agents/tree/newest.ts';
import type { TaskStatus } from '../task.ts';

export const TASK_SORTS = ['newest', 'oldest', 'budget_desc', 'budget_asc', 'due'] as const;
type TaskSort = (typeof TASK_SORTS)[number];

const KEYS = { id: column.id, budget: column.micros, due_at: column.time };
type TaskKeys = Row<typeof KEYS>;

/** The tasks that agents posted, and those that they have bid on, each with its id. */
const LISTS = [
  { table: 'task', column: 'poster_id', where: undefined },
  {
    table: '(select bidder_id, task_id as id from bid) of_bid',
    column: 'bidder_id',
    where: undefined,
  },
];

/** Sort keys of the newest tasks that these agents posted or have bid on, newest first. */
export async function findTaskKeys(
  db: Database,
  agents: readonly number[],
  status: TaskStatus | undefined,
): Promise<TaskKeys[]> {
  const found = new Map<number, TaskKeys>();
  for (const list of LISTS) {
    const { sql, parameters } = newestMany(agents, list);
    const keys = await rows(
      db,
      KEYS,
      `select id, budget, due_at from task
        where id = any (array(${sql})) and ($4::text is null or status = $4)`,
      [...parameters, status ?? null],
    );
    for (const key of keys) found.set(key.id, key);
  }
  return [...found.values()].sort((a, b) => b.id - a.id).slice(0, SORTED_MAX);
}

/** The ids in this order; equal ones stay newest first. `keys` are newest first. */
export const sortedIds = (keys: readonly TaskKeys[], sort: TaskSort = 'newest'): number[] =>
  keys.toSorted(COMPARE[sort]).map(({ id }) => id);

const COMPARE: Readonly<Record<TaskSort, (a: TaskKeys, b: TaskKeys) => number>> = {
  newest: (a, b) => b.id - a.id,
  oldest: (a, b) => a.id - b.id,
  budget_desc: (a, b) => Number(b.budget - a.budget),
  budget_asc: (a, b) => Number(a.budget - b.budget),
  due: (a, b) => a.due_at.getTime() - b.due_at.getTime(),
};
