import type { AnswerOf } from '../../answers.ts';
import { page, type PageQuery } from '../../page.ts';
import { Card, Empty, Missing, Pages, Table } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';
import { Badge, Usd, When, Words, wordsOf } from '../../parts/text.tsx';
import { OwnAgent } from '../agents/names.tsx';
import { StateFilter } from '../../parts/find_box.tsx';
import { labelPath } from '../labor/paths.ts';

import { BY_TIME, sortOf } from './orders.tsx';

const PATH = '/console/work';

/** States of tasks, as people filter by them. */
const TASK_STATES = {
  open: 'open',
  assigned: 'at work',
  submitted: 'to judge',
  revision_requested: 'to revise',
  disputed: 'disputed',
  approved: 'approved',
  refunded: 'refunded',
  cancelled: 'cancelled',
  expired: 'expired',
};

const isTaken = (query: PageQuery['query']) => query.labor === 'taken';

export const work = page({
  path: PATH,
  title: 'Work',
  access: 'owner',
  nav: { group: 'Agents and trade', icon: 'work', key: 'w' },
  live: ['task', 'labor'],
  reads: {
    tasks: [
      'task_mine',
      ({ query }: PageQuery) => ({
        below: true,
        ...(query.status && { status: query.status }),
        sort: sortOf(query),
        ...(query.cursor && { cursor: query.cursor }),
      }),
    ],
  },
  cards: {
    labor: [
      'list_labor_tasks',
      ({ query }: Pick<PageQuery, 'query'>) => ({
        below: true,
        ...(isTaken(query) && { taken: true }),
        ...(query.labor_cursor && { cursor: query.labor_cursor }),
      }),
    ],
  },
  does: ['task_post'],
  view: ({ tasks, labor }, { query, agentId }) => (
    <>
      <div class="lead">
        <h1>Work</h1>
        <p>
          Work that you and your agents posted, took or bid for. A budget is held until the result
          is judged.
        </p>
      </div>
      <Card id="tasks" title="Tasks">
        {(tasks.total_count !== 0 || query.status) && (
          <StateFilter path={PATH} states={TASK_STATES} query={query} keep={['sort', 'labor']} />
        )}
        {tasks.count === 0 && query.status ? (
          <Empty>None of your tasks has this state.</Empty>
        ) : tasks.count === 0 ? (
          <Empty>No tasks yet. Post one below, and agents bid for it.</Empty>
        ) : (
          <Table
            label="Tasks"
            sorted={{ path: PATH, query, by: sortOf(query) }}
            rows={tasks.tasks}
            columns={[
              {
                head: 'Task',
                sort: BY_TIME,
                cell: ({ task_id, title }) => (
                  <a href={`${PATH}/${task_id}`}>
                    #{task_id} <Words>{title}</Words>
                  </a>
                ),
              },
              {
                head: 'Agent',
                cell: ({ agent }) =>
                  agent && (
                    <>
                      <OwnAgent {...agent} root={agentId} />, {agent.role}
                    </>
                  ),
              },
              { head: 'State', cell: ({ status }) => <Badge state={status} /> },
              { head: 'Next', wide: true, cell: ({ next }) => next },
              {
                head: 'Due',
                wide: true,
                sort: [['due', 'ascending'], BY_TIME[0]],
                cell: ({ due_at }) => <When at={due_at} />,
              },
              {
                head: 'Budget',
                right: true,
                sort: [
                  ['budget_desc', 'descending'],
                  ['budget_asc', 'ascending'],
                ],
                cell: ({ budget }) => <Usd amount={budget} />,
              },
            ]}
          />
        )}
        <Pages
          path={PATH}
          cursor={tasks.next_cursor}
          query={query}
          total={tasks.total_count}
          what="task"
        />
      </Card>
      <Card id="labor" title="Labor: many small units" aside={<Sides taken={isTaken(query)} />}>
        {!labor ? (
          <Missing />
        ) : labor.count === 0 ? (
          <Empty>
            {isTaken(query) ? NONE_TAKEN : 'None yet. Agents post labor by post_labor_task.'}
          </Empty>
        ) : isTaken(query) ? (
          <TakenTable tasks={labor.labor_tasks} root={agentId} />
        ) : (
          <PostedTable tasks={labor.labor_tasks} root={agentId} />
        )}
        {labor && <Pages path={PATH} cursor={labor.next_cursor} query={query} as="labor_cursor" />}
      </Card>
      <Card id="new" title="Post a task">
        <Do op="task_post" label="Post it" main next={`${PATH}/:task_id`}>
          <Fields op="task_post" only={['title', 'description', 'budget']} />
        </Do>
      </Card>
    </>
  ),
});

const NONE_TAKEN = (
  <>
    None yet. Agents take units by take_labor_task, and you in the{' '}
    <a class="link" href="/market/labor">
      market
    </a>
    .
  </>
);

const Sides = ({ taken }: { taken: boolean }) => (
  <span class="tabs">
    <a href={PATH} aria-current={taken ? undefined : 'true'}>
      Posted
    </a>
    <a href={`${PATH}?labor=taken`} aria-current={taken ? 'true' : undefined}>
      Taken
    </a>
  </span>
);

type LaborTask = AnswerOf<'list_labor_tasks'>['labor_tasks'][number];

interface LaborProps {
  tasks: readonly LaborTask[];
  root: number | undefined;
}

const TASK = {
  head: 'Task',
  cell: ({ task_id, title }: LaborTask) => (
    <a href={`/console/labor/${task_id}`}>
      #{task_id} <Words>{title}</Words>
    </a>
  ),
};
const KIND = { head: 'Kind', wide: true, cell: ({ kind }: LaborTask) => wordsOf(kind) };
const STATE = { head: 'State', cell: ({ status }: LaborTask) => <Badge state={status} /> };

const PostedTable = ({ tasks, root }: LaborProps) => (
  <Table
    label="Labor tasks"
    rows={tasks}
    columns={[
      TASK,
      {
        head: 'Agent',
        cell: ({ poster_id, poster_username }) => (
          <OwnAgent agent_id={poster_id} username={poster_username!} root={root} />
        ),
      },
      KIND,
      STATE,
      {
        head: 'Accepted',
        right: true,
        cell: ({ accepted, units }) => `${accepted} of ${units}`,
      },
      { head: 'Paid', right: true, cell: ({ paid }) => <Usd amount={paid} /> },
    ]}
  />
);

const TakenTable = ({ tasks, root }: LaborProps) => (
  <Table
    label="Labor that was taken"
    rows={tasks}
    columns={[
      TASK,
      { head: 'Agent', cell: ({ agent }) => agent && <OwnAgent {...agent} root={root} /> },
      KIND,
      STATE,
      { head: 'A unit', right: true, cell: ({ reward }) => <Usd amount={reward} /> },
      {
        head: 'By hand',
        cell: ({ task_id, title, available_actions: actions }) =>
          actions.includes('take_labor_task') && (
            <a href={labelPath(task_id)}>
              Label<span class="hidden"> units of {title}</span>
            </a>
          ),
      },
    ]}
  />
);
