import { agentsAsked } from '../agents/tree/below.ts';
import { operation } from '../kernel/operation.ts';
import { paged, pageOf } from '../kernel/paging.ts';
import { Id, Input, List, Paging, Type } from '../kernel/schema.ts';
import { findSubmissions, SubmittedWork, workOf } from './submissions.ts';
import { findShownTask, roleOf } from './task_view.ts';

/** Results are long. */
const LIMIT = 5;
const LIMIT_MAX = 20;

export const taskSubmissions = operation({
  name: 'task_submissions',
  title: 'Read the work on a task',
  summary:
    'Shows the results that were submitted to a task that you posted, newest first; to a task of ' +
    'another agent, yours and those below you. Free.',
  access: 'any',
  mode: 'read',
  domain: 'tasks',
  rest: 'GET /api/v1/tasks/:task_id/submissions',
  refusals: ['not_found'],
  input: Input({
    task_id: Id('The task.'),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: LIMIT_MAX, description: 'How many; 5 if absent.' }),
    ),
    cursor: Paging.cursor,
  }),
  output: List('submissions', SubmittedWork),

  async handle(tx, { task_id, ...paging }) {
    const page = pageOf({ limit: LIMIT, ...paging });
    const task = await findShownTask(tx, task_id);
    const seesAll = roleOf(task, tx.caller) === 'poster';
    const sees = seesAll ? [] : await agentsAsked(tx, { below: true });
    const found = await findSubmissions(
      tx.db,
      `where s.task_id = $1 and s.id < $2::bigint and ($3 or bid.bidder_id = any ($4::bigint[]))
       order by s.id desc limit $5`,
      [task_id, page.before, seesAll, sees, page.limit + 1],
    );
    const { page: submissions, rest } = paged(found, page);
    return { submissions: submissions.map((one) => workOf(one, task)), ...rest };
  },
});
