import { selectedAgents } from '../agents/tree/below.ts';
import { operation } from '../../kernel/operation.ts';
import { paged, pageOf } from '../../kernel/paging.ts';
import { Id, Input, List, Paging, Type } from '../../kernel/schema.ts';
import { findSubmissions, SubmittedWork, workOf } from './submissions.ts';
import { findShownTask, roleOf } from './task_view.ts';

/** Submissions of a page, if no limit is given: results are long. */
const LIMIT = 5;
const LIMIT_MAX = 20;

export const taskSubmissions = operation({
  name: 'task_submissions',
  title: 'Read the work on a task',
  summary:
    'Lists the results submitted to a task that you posted, newest first; to a task of ' +
    'another agent, yours and those of agents below you. Free.',
  phrasings: `
    see what the worker handed in; results delivered for my task; review submissions, read the
    work; what did my freelancer deliver; look at the work before paying; submitted output for
    job 9; check deliverables; show the entries to my bounty; show delivered work; results of my
    task; what was submitted; see the output of the worker; read the answer to my task; look at
    submissions; inspect the result before approval; what did I get for my task; show me what
    they made; has the worker delivered; view the deliverable; look at what was turned in`,
  access: 'any',
  mode: 'read',
  rest: 'GET /api/v1/tasks/:task_id/submissions',
  refusals: ['not_found'],
  input: Input({
    task_id: Id('The task.'),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: LIMIT_MAX, description: '5 if absent.' }),
    ),
    cursor: Paging.cursor,
  }),
  output: List('submissions', SubmittedWork),

  async handle(tx, { task_id, ...paging }) {
    const page = pageOf({ limit: LIMIT, ...paging });
    const task = await findShownTask(tx, task_id);
    const seesAll = roleOf(task, tx.caller) === 'poster';
    const sees = seesAll ? [] : await selectedAgents(tx, { below: true });
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
