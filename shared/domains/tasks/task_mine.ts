import { selectedAgents, AgentFilter } from '../agents/tree/below.ts';
import { operation } from '../../kernel/operation.ts';
import { CountedList, pageAfter, paged, pageOf } from '../../kernel/paging.ts';
import { Input, OneOf, Paging, Type } from '../../kernel/schema.ts';
import type { Tx } from '../../kernel/tx.ts';
import type { Database } from '../../platform/rows.ts';
import { findTaskKeys, sortedIds, TASK_SORTS } from './parties/sorted_tasks.ts';
import { STATUSES } from './task.ts';
import { findTaskAgents } from './parties/task_agents.ts';
import { findSubmissions, WORK_SHOWN_MAX, workOf, type Submission } from './submissions.ts';
import { findShownTasks, TaskView, viewOf, type ShownTask } from './task_view.ts';

/** Maximum characters of a result that are shown: task_submissions has all of it. */
const CHARS_MAX = 4_000;

export const taskMine = operation({
  name: 'task_mine',
  title: 'List your tasks',
  summary:
    'Lists the tasks that you posted, work on or have bid on, newest first, each with the ' +
    'submitted work and the next step. Free.',
  phrasings: `
    jobs that I posted or work on; my tasks and bids; what am I working on; where do my own gigs
    stand; what I committed to for other agents; contracts I am working on; jobs I put up; my
    bids and assignments; my active work as poster or worker; remind me of my tasks; my tasks;
    tasks I created; jobs assigned to me; status of my tasks; list of my work; tasks where I am
    the worker; my posted jobs; which tasks are mine; my open gigs; follow my bids; what have I
    posted; all my gigs and their state; what did I sign up for; show the work I have going;
    which jobs do I have running; tasks I am involved in; what do I owe to others; how do my
    tasks stand`,
  access: 'any',
  mode: 'read',
  rest: 'GET /api/v1/tasks/mine',
  refusals: ['not_found'],
  input: Input({
    status: Type.Optional(OneOf(STATUSES, 'Only this status.')),
    ...AgentFilter,
    sort: Type.Optional(OneOf(TASK_SORTS, 'Sorts the newest 1 000.')),
    ...Paging,
  }),
  output: CountedList('OwnTaskList', 'tasks', TaskView),

  async handle(tx, { status, agent_id, below, sort, ...paging }) {
    const agents = await selectedAgents(tx, { agent_id, below });
    const keys = (sort || status) && (await findTaskKeys(tx.db, agents, status));
    const counted = keys && sort && { total_count: keys.length };
    const { tasks, rest } =
      keys && (status || sort !== 'newest')
        ? await findInOrder(tx, sortedIds(keys, sort), paging)
        : await findNewest(tx, agents, paging);
    const work = await findWork(tx.db, agents, tasks);
    const doers = await findTaskAgents(tx.db, agents, tasks);
    return {
      tasks: tasks.map((task) => ({
        ...viewOf(task, tx),
        agent: doers.get(task.id)!,
        submissions: work
          .filter(({ task_id }) => task_id === task.id)
          .map((one) => workOf(one, task, CHARS_MAX)),
      })),
      ...rest,
      ...counted,
    };
  },
});

type PageInput = Parameters<typeof pageOf>[0];

async function findInOrder(tx: Tx, sorted: readonly number[], paging: PageInput) {
  const { page: ids, rest } = pageAfter(sorted, paging);
  const found = await findShownTasks(
    tx.db,
    tx.caller,
    `where t.id = any ($2::bigint[]) order by array_position($2::bigint[], t.id)`,
    [ids],
  );
  return { tasks: found, rest };
}

async function findNewest(tx: Tx, agents: readonly number[], paging: PageInput) {
  const page = pageOf(paging);
  const found = await findShownTasks(
    tx.db,
    tx.caller,
    `where t.id in (
       select distinct newest.id from unnest($4::bigint[]) as asked(id)
        cross join lateral (
          (select id from task where poster_id = asked.id and id < $2::bigint
            order by id desc limit $3)
          union all
          (select task_id from bid where bidder_id = asked.id and task_id < $2::bigint
            order by task_id desc limit $3)) newest
        order by newest.id desc limit $3)
     order by t.id desc limit $3`,
    [page.before, page.limit + 1, agents],
  );
  const { page: tasks, rest } = paged(found, page);
  return { tasks, rest };
}

/** Finds the current submissions of tasks these agents posted, and their own to other tasks. */
const findWork = (
  db: Database,
  agents: readonly number[],
  tasks: readonly ShownTask[],
): Promise<Submission[]> =>
  findSubmissions(
    db,
    `join lateral (
       select latest.id
         from submission latest join bid of_whom on of_whom.id = latest.bid_id
         join task t on t.id = latest.task_id
        where latest.task_id = s.task_id and latest.superseded_at is null
          and (t.poster_id = any ($2) or of_whom.bidder_id = any ($2))
        order by latest.id desc limit ${WORK_SHOWN_MAX}) shown on shown.id = s.id
     where s.task_id = any ($1) order by s.id desc`,
    [tasks.map(({ id }) => id), agents],
  );
