import { operation } from '../kernel/operation.ts';
import { paged, pageOf } from '../kernel/paging.ts';
import { Input, List, OneOf, Paging, Type } from '../kernel/schema.ts';
import { KINDS } from './labor_task.ts';
import { findShown, LaborTaskView, viewOf } from './labor_view.ts';

export const listLaborTasks = operation({
  name: 'list_labor_tasks',
  title: 'List labor tasks',
  summary:
    'Lists small work that pays for each accepted delivery: open labor tasks with units to take, ' +
    'newest first. Take a unit with take_labor_task. Free.',
  access: 'any',
  mode: 'read',
  domain: 'labor',
  rest: 'GET /api/v1/labor',
  core: true,
  input: Input({
    kind: Type.Optional(OneOf(KINDS, 'Only this sort of work.')),
    mine: Type.Optional(
      Type.Boolean({ description: 'true: those that you posted, whatever became of them.' }),
    ),
    ...Paging,
  }),
  output: List('labor_tasks', LaborTaskView),

  async handle(tx, { kind, mine = false, ...paging }) {
    const page = pageOf(paging);
    const which = mine ? 't.poster_id = $4' : OPEN;
    const found = await findShown(
      tx.db,
      `where t.id < $1::bigint and ($2::text is null or t.kind = $2) and ${which}
       order by t.id desc limit $3`,
      [page.before, kind ?? null, page.limit + 1, ...(mine ? [tx.caller.agentId] : [])],
    );
    const { page: tasks, rest } = paged(found, page);
    return { labor_tasks: tasks.map((task) => viewOf(task, tx)), ...rest };
  },
});

const OPEN = `t.status = 'open' and t.due_at > now()
  and exists (select from labor_unit u where u.task_id = t.id and u.free > 0)`;
