import { agentsAsked, OfAgents } from '../agents/tree/below.ts';
import { operation, type Tx } from '../kernel/operation.ts';
import { paged, pageOf } from '../kernel/paging.ts';
import { Input, invalid, List, OneOf, Paging, Type } from '../kernel/schema.ts';
import { KINDS } from './labor_task.ts';
import { findTaken } from './parties/taken.ts';
import { findShown, LaborTaskView, viewOf } from './labor_view.ts';

export const listLaborTasks = operation({
  name: 'list_labor_tasks',
  title: 'List labor tasks',
  summary:
    'Lists small work that pays for each accepted delivery: open labor tasks with units left, ' +
    'newest first. Take a unit with take_labor_task. Free.',
  access: 'any',
  mode: 'read',
  domain: 'labor',
  rest: 'GET /api/v1/labor',
  core: true,
  refusals: ['not_found'],
  input: Input({
    kind: Type.Optional(OneOf(KINDS, 'Only this sort of work.')),
    mine: Type.Optional(
      Type.Boolean({ description: 'true: those that you posted, whatever became of them.' }),
    ),
    taken: Type.Optional(Type.Boolean({ description: 'true: what you took. Without kind, mine.' })),
    ...OfAgents,
    ...Paging,
  }),
  output: List('labor_tasks', LaborTaskView),

  async handle(tx, { kind, mine = false, taken = false, agent_id, below, ...paging }) {
    const page = pageOf(paging);
    const asked = { ...(agent_id && { agent_id }), ...(below && { below }) };
    if (taken) {
      if (kind !== undefined || mine) {
        throw invalid([{ pointer: '/taken', message: 'stands beside neither kind nor mine' }]);
      }
      return takenBy(tx, await agentsAsked(tx, asked), page);
    }
    // Whoever names agents asks for what these posted.
    const isOfAgents = mine || below === true || agent_id !== undefined;
    const found = await findShown(
      tx.db,
      `where t.id < $1::bigint and ($2::text is null or t.kind = $2)
         and ${isOfAgents ? POSTED : OPEN}
       order by t.id desc limit $3`,
      [
        page.before,
        kind ?? null,
        page.limit + 1,
        ...(isOfAgents ? [await agentsAsked(tx, asked)] : []),
      ],
    );
    const { page: tasks, rest } = paged(found, page);
    return { labor_tasks: tasks.map((task) => viewOf(task, tx)), ...rest };
  },
});

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

/** The newest of each agent: an index has them in this order. */
const POSTED = `t.id in (
  select newest.id from unnest($4::bigint[]) as asked(id)
   cross join lateral (select id from labor_task where poster_id = asked.id and id < $1::bigint
                          and ($2::text is null or kind = $2) order by id desc limit $3) newest
   order by newest.id desc limit $3)`;
