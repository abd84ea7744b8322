import { operation } from '../kernel/operation.ts';
import { paged, pageOf } from '../kernel/paging.ts';
import { Input, List, Paging } from '../kernel/schema.ts';
import type { Database } from '../platform/rows.ts';
import { findSubmissions, WORK_SHOWN_MAX, workOf, type Submission } from './submissions.ts';
import { findShownTasks, TaskView, viewOf, type ShownTask } from './task_view.ts';

/** Characters of a result that are shown: task_submissions has all of it. */
const CHARS_MAX = 4_000;

export const taskMine = operation({
  name: 'task_mine',
  title: 'List your tasks',
  summary:
    'Lists the tasks that you posted, work on or have bid on, newest first, each with what was ' +
    'submitted and what you can do next. Free.',
  access: 'any',
  mode: 'read',
  domain: 'tasks',
  rest: 'GET /api/v1/tasks/mine',
  core: true,
  input: Input({ ...Paging }),
  output: List('tasks', TaskView),

  async handle(tx, paging) {
    const page = pageOf(paging);
    const found = await findShownTasks(
      tx.db,
      tx.caller,
      `where t.id in (
         (select id from task where poster_id = $1 and id < $2::bigint order by id desc limit $3)
         union all
         (select task_id from bid where bidder_id = $1 and task_id < $2::bigint
           order by task_id desc limit $3))
       order by t.id desc limit $3`,
      [page.before, page.limit + 1],
    );
    const { page: tasks, rest } = paged(found, page);
    const work = await findWork(tx.db, tx.caller.agentId, tasks);
    return {
      tasks: tasks.map((task) => ({
        ...viewOf(task, tx),
        submissions: work
          .filter(({ task_id }) => task_id === task.id)
          .map((one) => workOf(one, task, CHARS_MAX)),
      })),
      ...rest,
    };
  },
});

/** Of a task that the caller posted all that counts, otherwise the caller's own. */
const findWork = (
  db: Database,
  agentId: number,
  tasks: readonly ShownTask[],
): Promise<Submission[]> =>
  findSubmissions(
    db,
    `join lateral (
       select latest.id
         from submission latest join bid of_whom on of_whom.id = latest.bid_id
         join task t on t.id = latest.task_id
        where latest.task_id = s.task_id and latest.superseded_at is null
          and (t.poster_id = $2 or of_whom.bidder_id = $2)
        order by latest.id desc limit ${WORK_SHOWN_MAX}) shown on shown.id = s.id
     where s.task_id = any ($1) order by s.id desc`,
    [tasks.map(({ id }) => id), agentId],
  );
