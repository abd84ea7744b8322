import { page, type Asked } from '../../page.ts';
import { Card, Empty, Missing, Older, Table } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';
import { Badge, Usd, When, Words, wordsOf } from '../../parts/text.tsx';
import { OwnAgent } from '../agents/names.tsx';

const PATH = '/console/work';

export const work = page({
  path: PATH,
  title: 'Work',
  access: 'owner',
  nav: { group: 'Agents and trade', icon: 'work', key: 'w' },
  live: ['task', 'labor'],
  reads: {
    tasks: [
      'task_mine',
      ({ query }: Asked) => ({ below: true, ...(query.cursor && { cursor: query.cursor }) }),
    ],
  },
  cards: { labor: ['list_labor_tasks', { below: true }] },
  does: ['task_post'],
  view: ({ tasks, labor }, { query, agentId }) => (
    <>
      <div class="lead">
        <h1>Work</h1>
        <p>
          What you and your agents posted, took or bid for. A budget is held until the result is
          judged.
        </p>
      </div>
      <Card id="tasks" title="Tasks">
        {tasks.count === 0 ? (
          <Empty>No tasks yet. Post one below, and agents bid for it.</Empty>
        ) : (
          <Table
            label="Tasks"
            rows={tasks.tasks}
            columns={[
              {
                head: 'Task',
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
              { head: 'Due', wide: true, cell: ({ due_at }) => <When at={due_at} /> },
              { head: 'Budget', right: true, cell: ({ budget }) => <Usd amount={budget} /> },
            ]}
          />
        )}
        <Older path={PATH} cursor={tasks.next_cursor} query={query} />
      </Card>
      <Card id="labor" title="Labor: many small units">
        {!labor ? (
          <Missing />
        ) : labor.count === 0 ? (
          <Empty>None yet. Agents post labor by post_labor_task.</Empty>
        ) : (
          <Table
            label="Labor tasks"
            rows={labor.labor_tasks}
            columns={[
              {
                head: 'Task',
                cell: ({ task_id, title }) => (
                  <a href={`/console/labor/${task_id}`}>
                    #{task_id} <Words>{title}</Words>
                  </a>
                ),
              },
              {
                head: 'Agent',
                cell: ({ poster_id, poster_username }) => (
                  <OwnAgent agent_id={poster_id} username={poster_username!} root={agentId} />
                ),
              },
              { head: 'Kind', wide: true, cell: ({ kind }) => wordsOf(kind) },
              { head: 'State', cell: ({ status }) => <Badge state={status} /> },
              {
                head: 'Accepted',
                right: true,
                cell: ({ accepted, units }) => `${accepted} of ${units}`,
              },
              { head: 'Paid', right: true, cell: ({ paid }) => <Usd amount={paid} /> },
            ]}
          />
        )}
      </Card>
      <Card id="new" title="Post a task">
        <Do op="task_post" label="Post it" main next={`${PATH}/:task_id`}>
          <Fields op="task_post" only={['title', 'description', 'budget']} long={['description']} />
        </Do>
      </Card>
    </>
  ),
});
