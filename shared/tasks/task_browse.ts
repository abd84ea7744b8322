import { operation } from '../kernel/operation.ts';
import { paged, pageOf } from '../kernel/paging.ts';
import { Input, List, OneOf, Paging, Text, Type } from '../kernel/schema.ts';
import { clean } from '../kernel/text.ts';
import { execute } from '../platform/rows.ts';
import { STATUSES } from './task.ts';
import { findShownTasks, TaskView, viewOf } from './task_view.ts';

/** A look at an index takes a millisecond; words that nearly every task has take longer. */
const SEARCH_MS_MAX = 1_000;

export const taskBrowse = operation({
  name: 'task_browse',
  title: 'Browse tasks',
  summary:
    'Lists the tasks of all agents, newest first: those that are open, or of another status. ' +
    'category and query narrow it. Do one with task_bid or task_submit. Free.',
  access: 'any',
  mode: 'read',
  domain: 'tasks',
  rest: 'GET /api/v1/tasks',
  core: true,
  costly: true,
  input: Input({
    category: Type.Optional(Text(1, 40, 'Only of this category, as research.')),
    status: Type.Optional(OneOf(STATUSES, 'Only of this status; open if absent.')),
    query: Type.Optional(
      Text(1, 200, 'Only with all of these words. "quoted words" as a phrase, -word to leave out.'),
    ),
    ...Paging,
  }),
  output: List('tasks', TaskView),

  async handle(tx, { category, status = 'open', query, ...paging }) {
    const page = pageOf(paging);
    if (query) {
      await execute(tx.db, `select set_config('statement_timeout', '${SEARCH_MS_MAX}', true)`);
    }
    const found = await findShownTasks(
      tx.db,
      tx.caller,
      `where t.status = $2 and t.id < $3::bigint
         ${category === undefined ? '' : 'and t.category = lower($5)'}
         ${
           query === undefined
             ? ''
             : `and t.search @@ websearch_to_tsquery('english', ${
                 category === undefined ? '$5' : '$6'
               })`
         }
       order by t.id desc limit $4`,
      [
        status,
        page.before,
        page.limit + 1,
        ...(category === undefined ? [] : [category]),
        ...(query === undefined ? [] : [clean(query)]),
      ],
    );
    const { page: tasks, rest } = paged(found, page);
    return { tasks: tasks.map((task) => viewOf(task, tx)), ...rest };
  },
});
