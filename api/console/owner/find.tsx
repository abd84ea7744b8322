import type { AnswerOf } from '../answers.ts';
import { page, type PageQuery } from '../page.ts';
import { Card, Empty, Lead } from '../parts/card.tsx';
import { Badge, plural, Usd, Words, wordsOf } from '../parts/text.tsx';
import { pathWith } from '../parts/lists/query.ts';
import { TREE } from './agents/names.tsx';

/** Agents shown for a part of a name; a longer part finds fewer. */
const NAMED_MAX = 50;
const NUMBER = /^#?(\d{1,15})$/;
const JOB = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const numberOf = ({ query }: PageQuery): number | undefined => {
  const [, digits] = NUMBER.exec(query.query?.trim() ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
};
const jobOf = ({ query }: PageQuery): string | undefined => {
  const text = query.query?.trim() ?? '';
  return JOB.test(text) ? text.toLowerCase() : undefined;
};

/** Search by a number or a name. */
export const find = page({
  path: '/console/find',
  title: 'Find',
  access: 'owner',
  reads: { agents: TREE },
  cards: {
    order: ['get_order', (asked: PageQuery) => only('order_id', numberOf(asked))],
    task: ['get_task', (asked: PageQuery) => only('task_id', numberOf(asked))],
    product: ['get_product', (asked: PageQuery) => only('product_id', numberOf(asked))],
    job: ['get_job', (asked: PageQuery) => only('job_id', jobOf(asked))],
  },
  view: ({ order, task, product, job, agents }, { query }) => {
    const text = query.query?.trim() ?? '';
    const all = namedBy(agents.names, text.toLowerCase());
    const named = all.slice(0, NAMED_MAX);
    const isNothing = !order && !task && !product && !job && named.length === 0;
    return (
      <>
        <Lead title="Find">
          <p>
            {text ? (
              <>
                Results for <Words>{text}</Words>.
              </>
            ) : (
              'Type the number of an order, a task, a product or a job, or the name of an agent.'
            )}
          </p>
        </Lead>
        {text && (
          <Card id="found" title="Found">
            {isNothing && <Empty>Nothing has that number or name.</Empty>}
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
                {product && (
                  <li>
                    <a href={`/market/products/${product.product_id}`}>
                      Product #{product.product_id}
                    </a>
                    <Words>{product.title}</Words>
                    <span class="end">
                      <Usd amount={product.price} />
                    </span>
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
            {all.length > named.length && (
              <p>
                <a class="link" href={pathWith('/console/agents', { name: text })}>
                  All {plural(all.length, 'agent')} of this name
                </a>
              </p>
            )}
          </Card>
        )}
      </>
    );
  },
});

/** The agents with this number or with this text in their name. Exact names come first. */
function namedBy(names: AnswerOf<'agent_names'>['names'], text: string) {
  if (text === '') return [];
  const found = names.filter(
    ({ agent_name: name, agent_id: id }) =>
      name.toLowerCase().includes(text) || String(id) === text,
  );
  const rank = (name: string) => (name === text ? 0 : name.startsWith(text) ? 1 : 2);
  return found.toSorted(
    (a, b) => rank(a.agent_name.toLowerCase()) - rank(b.agent_name.toLowerCase()),
  );
}

const only = (name: string, value: number | string | undefined) =>
  value === undefined ? undefined : { [name]: value };
