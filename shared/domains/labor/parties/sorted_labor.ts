import { SORTED_MAX } from '../../../kernel/paging.ts';
import { shownName } from '../../../kernel/text.ts';
import { column, rows, type Database, type Row } from '../../../platform/rows.ts';
import { newestMany } from '../../agents/tree/newest.ts';
import type { LaborTask } from '../labor_task.ts';

export const LABOR_SORTS = [
  'newest',
  'oldest',
  'reward_desc',
  'reward_asc',
  'paid_desc',
  'paid_asc',
] as const;
type LaborSort = (typeof LABOR_SORTS)[number];

const KEYS = { id: column.id, reward: column.micros, paid: column.micros };

export interface LaborKeys extends Row<typeof KEYS> {
  /** The agent that took a unit last, of labor that was taken. */
  readonly agent?: {
    readonly agent_id: number;
    readonly username: string;
    readonly role: 'worker';
  };
}

export interface LaborSelection {
  readonly agents: readonly number[];
  readonly kind?: LaborTask['kind'] | undefined;
  readonly status?: LaborTask['status'] | undefined;
}

/** Sort keys of the newest labor tasks that these agents posted, newest first. */
export function findPostedKeys(
  db: Database,
  { agents, kind, status }: LaborSelection,
): Promise<LaborKeys[]> {
  const { sql, parameters } = newestMany(agents, { table: 'labor_task', column: 'poster_id' });
  return rows(
    db,
    KEYS,
    `select id, reward, paid from labor_task
      where id = any (array(${sql})) and ($4::text is null or kind = $4)
        and ($5::text is null or status = $5) order by id desc`,
    [...parameters, kind ?? null, status ?? null],
  );
}

/** SQL: the newest claim of an agent on the newest task below another one. An index has both. */
const newestOf = (below: string) => `
  (select task_id, id as claim_id from labor_claim where agent_id = asked.id and ${below}
    order by task_id desc, id desc limit 1)`;

/**
 * Sort keys of the newest labor tasks whose units these agents have taken, newest first, each with
 * the agent that took one last. It looks once for each task of an agent, however many its units.
 */
export async function findTakenKeys(db: Database, { agents, status }: LaborSelection) {
  const found = await rows(
    db,
    { ...KEYS, agent_id: column.id, username: column.text },
    `with taken as (
       select distinct on (each.task_id) each.task_id, asked.id as agent_id
         from unnest($1::bigint[]) as asked(id)
        cross join lateral (
          with recursive one as (
            ${newestOf('true')}
            union all
            select next.task_id, next.claim_id
              from one cross join lateral ${newestOf('task_id < one.task_id')} next)
          select task_id, claim_id from one limit $2) each
        order by each.task_id desc, each.claim_id desc
        limit $2)
     select t.id, t.reward, t.paid, taken.agent_id, a.username
       from taken join labor_task t on t.id = taken.task_id join agent a on a.id = taken.agent_id
      where $3::text is null or t.status = $3 order by t.id desc`,
    [agents, SORTED_MAX, status ?? null],
  );
  return found.map(({ agent_id, username, ...keys }) => ({
    ...keys,
    agent: { agent_id, username: shownName(username), role: 'worker' as const },
  }));
}

/** The keys in this order; equal ones stay newest first. `keys` are newest first. */
export const inOrder = <K extends LaborKeys>(keys: readonly K[], sort: LaborSort = 'newest'): K[] =>
  keys.toSorted(COMPARE[sort]);

const COMPARE: Readonly<Record<LaborSort, (a: LaborKeys, b: LaborKeys) => number>> = {
  newest: (a, b) => b.id - a.id,
  oldest: (a, b) => a.id - b.id,
  reward_desc: (a, b) => Number(b.reward - a.reward),
  reward_asc: (a, b) => Number(a.reward - b.reward),
  paid_desc: (a, b) => Number(b.paid - a.paid),
  paid_asc: (a, b) => Number(a.paid - b.paid),
};
