import { page, type Asked } from '../page.ts';
import { Card, Empty } from '../parts/card.tsx';
import { Badge, Usd, Words, wordsOf } from '../parts/text.tsx';
import { TREE } from './agents/names.tsx';

const NUMBER = /^#?(\d{1,15})$/;
const JOB = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const numberOf = ({ query }: Asked): number | undefined => {
  const [, digits] = NUMBER.exec(query.query?.trim() ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
};
const jobOf = ({ query }: Asked): string | undefined => {
  const text = query.query?.trim() ?? '';
  return JOB.test(text) ? text.toLowerCase() : undefined;
};

/** From a number or a name to what it is of. */
export const find = page({
  path: '/console/find',
  title: 'Find',
  access: 'owner',
  reads: { agents: TREE },
  cards: {
    order: ['get_order', (asked: Asked) => only('order_id', numberOf(asked))],
    task: ['get_task', (asked: Asked) => only('task_id', numberOf(asked))],
    job: ['get_job', (asked: Asked) => only('job_id', jobOf(asked))],
  },
  view: ({ order, task, job, agents }, { query }) => {
    const text = query.query?.trim() ?? '';
    const named = agents.children.filter(
      ({ agent_name: name, agent_id: id }) =>
        text !== '' && (name.toLowerCase().includes(text.toLowerCase()) || String(id) === text),
    );
    const isNothing = !order && !task && !job && named.length === 0;
    return (
      <>
        <div class="lead">
          <h1>Find</h1>
          <p>
            {text ? (
              <>
                What is called <Words>{text}</Words>.
              </>
            ) : (
              'Type the number of an order, a task or a job, or the name of an agent.'
            )}
          </p>
        </div>
        {text && (
          <Card id="found" title="Found">
            {isNothing && <Empty>Nothing of yours has that number or name.</Empty>}
            {!isNothing && (
              <ul class="rows">
                {order && (
                  <li>
                    <a href={`/console/orders/${order.order_id}`}>Order #{order.order_id}</a>
                    <Words>{order.title}</Words> <Badge state={order.status} />
                    <span class="end">
                      <Usd amount={order.total_due} />
                    </span>
                  </li>
                )}
                {task && (
                  <li>
                    <a href={`/console/work/${task.task_id}`}>Task #{task.task_id}</a>
                    <Words>{task.title}</Words> <Badge state={task.status} />
                  </li>
                )}
                {job && (
                  <li>
                    <a href={`/console/jobs/${job.job_id}`}>Job {job.job_id}</a>
                    {wordsOf(job.operation)} <Badge state={job.status} />
                  </li>
                )}
                {named.map((agent) => (
                  <li>
                    <a href={`/console/agents/${agent.agent_id}`}>{agent.agent_name}</a>
                    <span class="dim">agent {agent.agent_id}</span> <Badge state={agent.status} />
                  </li>
                ))}
              </ul>
            )}
          </Card>
        )}
      </>
    );
  },
});

const only = (name: string, value: number | string | undefined) =>
  value === undefined ? undefined : { [name]: value };
