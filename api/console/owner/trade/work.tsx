import { page, type PageQuery } from '../../page.ts';
import { Card, Empty, Lead, Pages, Table } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';
import { Badge, Usd, When, Words } from '../../parts/text.tsx';
import { OwnAgent } from '../agents/names.tsx';
import { StateFilter } from '../../parts/lists/filter.tsx';
import { given } from '../../parts/lists/query.ts';
import { LABOR_READ, LaborCard } from '../labor/list.tsx';

import { BY_TIME, byLargest, sortOf } from './orders.tsx';
import { nextStep } from './next_step.ts';

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
        sort: sortOf(query),
        ...given(query, 'status', 'cursor'),
      }),
    ],
  },
  cards: {
    labor: LABOR_READ,
  },
  does: ['task_post'],
  view: ({ tasks, labor }, { query, agentId }) => (
    <>
      <Lead title="Work">
        <p>
          Work that you and your agents posted, took or bid for. A budget is held until the result
          is judged.
        </p>
      </Lead>
      <Card id="tasks" title="Tasks">
        {(tasks.total_count !== 0 || query.status) && (
          <StateFilter
            path={PATH}
            states={TASK_STATES}
            query={query}
            keep={['sort', 'labor', 'labor_status', 'labor_sort']}
          />
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
              { head: 'Next', wide: true, cell: nextStep },
              {
                head: 'Due',
                wide: true,
                sort: [['due', 'ascending'], BY_TIME[0]],
                cell: ({ due_at, deadlines }) => <When at={deadlines[0]?.at ?? due_at} />,
              },
              {
                head: 'Budget',
                right: true,
                sort: byLargest('budget'),
                cell: ({ budget }) => <Usd amount={budget} />,
              },
            ]}
          />
        )}
        <Pages path={PATH} of={tasks} query={query} what="task" />
      </Card>
      <LaborCard labor={labor} query={query} root={agentId} path={PATH} />
      <Card id="new" title="Post a task">
        <Do op="task_post" label="Post it" main next={`${PATH}/:task_id`}>
          <Fields op="task_post" only={['title', 'description', 'budget']} />
        </Do>
      </Card>
    </>
  ),
});
