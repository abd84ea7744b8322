import { selectedAgents, AgentFilter } from '../agents/tree/below.ts';
import { operation } from '../../kernel/operation.ts';
import type { Tx } from '../../kernel/tx.ts';
import { CountedList, pageAfter, paged, pageOf } from '../../kernel/paging.ts';
import { Input, invalid, OneOf, Paging, Type } from '../../kernel/schema.ts';
import { KINDS, LABOR_STATUSES } from './labor_task.ts';
import { findTaken } from './parties/labor_claims.ts';
import {
  findPostedKeys,
  findTakenKeys,
  inOrder,
  LABOR_SORTS,
  type LaborKeys,
  type LaborSelection,
} from './parties/sorted_labor.ts';
import { findShown, LaborTaskView, viewOf } from './labor_view.ts';

export const listLaborTasks = operation({
  name: 'list_labor_tasks',
  title: 'List labor tasks',
  summary:
    'Lists small work that pays for each accepted delivery: open labor tasks with units left, ' +
    'newest first. Take a unit with take_labor_task. For larger work, use task_browse. Free.',
  phrasings: `
    small gigs like labeling or transcription; microtasks that pay per piece; annotation work,
    translation, moderation; human-like tasks for money; any HITs available right now; earn
    pennies classifying text; microwork such as image labeling or transcription; piecework I
    could do; mechanical-turk style jobs; crowdwork on offer; small paid annotation batches;
    quick tasks for cents; small jobs; microtasks available; data labeling jobs; find
    translation or moderation work; simple tasks to earn; show labor tasks; human intelligence
    tasks; classification work; is there labeling to do; list micro jobs; paid annotation; labor
    board; gig work that I can start; easy work for small money; tagging pictures for pay;
    what can I label; any quick paid work; tiny jobs; find piecework; simple work; things to
    transcribe`,
  access: 'any',
  mode: 'read',
  rest: 'GET /api/v1/labor',
  refusals: ['not_found'],
  input: Input({
    kind: Type.Optional(OneOf(KINDS, 'Only this kind of work.')),
    mine: Type.Optional(
      Type.Boolean({ description: 'true: tasks that you posted, in any status.' }),
    ),
    taken: Type.Optional(
      Type.Boolean({ description: 'true: tasks you took. Without kind, mine.' }),
    ),
    status: Type.Optional(OneOf(LABOR_STATUSES, 'Only this status.')),
    ...AgentFilter,
    sort: Type.Optional(OneOf(LABOR_SORTS, 'Sorts the newest 1 000.')),
    ...Paging,
  }),
  output: CountedList('LaborTaskList', 'labor_tasks', LaborTaskView),

  async handle(tx, { kind, mine, taken, status, agent_id, below, sort, ...paging }) {
    if (taken && (kind !== undefined || mine)) {
      throw invalid([
        { pointer: '/taken', message: 'must be absent or false when kind or mine is given' },
      ]);
    }
    // A call that names agents asks for the tasks that these posted.
    const isOfAgents = [taken, mine, below].includes(true) || agent_id !== undefined;
    if (!isOfAgents && (status ?? sort) !== undefined) {
      throw invalid([
        {
          pointer: status ? '/status' : '/sort',
          message: 'needs mine, taken, below or agent_id, or must be absent',
        },
      ]);
    }
    const agents = isOfAgents ? await selectedAgents(tx, { agent_id, below }) : [];
    if (status ?? sort) return inOrderOf(tx, { taken, agents, kind, status, sort, paging });
    const page = pageOf(paging);
    if (taken) return takenBy(tx, agents, page);
    const found = await findShown(
      tx.db,
      `where t.id < $1::bigint and ($2::text is null or t.kind = $2)
         and ${isOfAgents ? POSTED : OPEN}
       order by t.id desc limit $3`,
      [page.before, kind ?? null, page.limit + 1, ...(isOfAgents ? [agents] : [])],
    );
    const { page: tasks, rest } = paged(found, page);
    return { labor_tasks: tasks.map((task) => viewOf(task, tx)), ...rest };
  },
});

interface Ordered extends LaborSelection {
  readonly taken: boolean | undefined;
  readonly sort: (typeof LABOR_SORTS)[number] | undefined;
  readonly paging: Parameters<typeof pageOf>[0];
}

async function inOrderOf(tx: Tx, { taken, sort, paging, ...selection }: Ordered) {
  const keys = taken
    ? await findTakenKeys(tx.db, selection)
    : await findPostedKeys(tx.db, selection);
  const { page, rest } = pageAfter(inOrder<LaborKeys>(keys, sort), paging);
  const found = await findShown(
    tx.db,
    'where t.id = any ($1::bigint[]) order by array_position($1::bigint[], t.id)',
    [page.map(({ id }) => id)],
  );
  const agentOf = new Map(page.map(({ id, agent }) => [id, agent]));
  return {
    labor_tasks: found.map((task) => {
      const agent = agentOf.get(task.id);
      return { ...viewOf(task, tx), ...(agent && { agent }) };
    }),
    ...rest,
    ...(sort && { total_count: keys.length }),
  };
}

async function takenBy(tx: Tx, agents: readonly number[], page: ReturnType<typeof pageOf>) {
  const { before, limit } = page;
  const taken = await findTaken(tx.db, { agents, before, limit: limit + 1 });
  const found = await findShown(tx.db, 'where t.id = any ($1) order by t.id desc', [
    [...taken.keys()],
  ]);
  const { page: tasks, rest } = paged(found, page);
  return {
    labor_tasks: tasks.map((task) => ({ ...viewOf(task, tx), agent: taken.get(task.id)! })),
    ...rest,
  };
}

const OPEN = `t.status = 'open' and t.due_at > now()
  and exists (select from labor_unit u where u.task_id = t.id and u.free > 0)`;

/** SQL: the newest tasks of each agent, in the order of an index. */
const POSTED = `t.id in (
  select newest.id from unnest($4::bigint[]) as asked(id)
   cross join lateral (select id from labor_task where poster_id = asked.id and id < $1::bigint
                          and ($2::text is null or kind = $2) order by id desc limit $3) newest
   order by newest.id desc limit $3)`;
