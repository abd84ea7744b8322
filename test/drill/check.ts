import type { DataSource } from 'typeorm';

import { audit } from '../../shared/composition/audit.ts';
import type { History, ReceivedReply } from './clients/history.ts';
import type { Market } from './clients/market.ts';
import type { SimulatedBuyer } from './clients/simulated_buyer.ts';

interface Job {
  readonly id: string;
  readonly operation: string;
  readonly agent_id: number;
  readonly key: string | null;
  readonly status: 'pending' | 'complete' | 'failed';
  readonly http_status: number | null;
  readonly answer: string | null;
}

interface Order {
  readonly id: number;
  readonly job_id: string;
  readonly product_id: number;
  readonly quantity: number;
  readonly total: string;
  readonly refunded: string;
  readonly status: string;
}

/** Every difference between the database and the replies that the clients received. */
export async function check(
  database: DataSource,
  {
    history,
    buyers,
    market,
  }: { history: History; buyers: readonly SimulatedBuyer[]; market: Market },
): Promise<string[]> {
  const jobs: Job[] = await database.query(
    'select id, operation, agent_id, key, status, http_status, answer::text from job',
  );
  const wrong = await checkReplies(database, history.replies, jobs);
  for (const buyer of buyers) wrong.push(...(await checkBuyer(database, buyer)));
  for (const { id, earned } of market.sellers) {
    wrong.push(...(await checkWallet(database, { id, micros: 500_000 + earned })));
  }
  const differences = await audit(database);
  return [
    ...wrong,
    ...differences.map(({ proof, row }) => `not true that ${proof}: ${JSON.stringify(row)}`),
  ];
}

/** Every reply is the answer of one job, byte for byte. */
async function checkReplies(
  database: DataSource,
  replies: readonly ReceivedReply[],
  jobs: readonly Job[],
) {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const byKey = new Map(jobs.map((job) => [`${job.agent_id} ${job.key}`, job]));
  const orders: Order[] = await database.query('select id::int, job_id from orders');
  const byOrder = new Map(orders.map(({ id, job_id }) => [id, job_id]));

  return replies.flatMap((reply) => {
    const { agentId, operation, key, status, text } = reply;
    const { order_id, error } = JSON.parse(text) as { order_id?: number; error?: string };
    const orderId = operation === 'purchase_product' ? order_id : undefined;
    const jobId = reply.jobId ?? (key || !orderId ? undefined : byOrder.get(orderId));
    const isFree = [202, 402, 409].includes(status) || error === 'out_of_stock';
    const binds = key !== undefined && !isFree;
    if (!jobId && !binds) return [];
    const name = `${operation} ${key ?? jobId} of agent ${agentId}`;
    const job = jobId ? byId.get(jobId) : byKey.get(`${agentId} ${key}`);
    if (!job) return `${name} was answered ${status} and there is no job of it`;
    if (job.operation !== operation) return `${name} is a job of ${job.operation}`;
    if (job.status === 'pending' || status === 202) return []; // `settled` reports pending jobs
    if (job.http_status === status && job.answer === text) return [];
    return `${name} was answered ${status} ${text}, its job ${job.http_status} ${job.answer}`;
  });
}

/** The orders are those that their buyer knows, and the wallet is what they leave. */
async function checkBuyer(database: DataSource, buyer: SimulatedBuyer): Promise<string[]> {
  const { agent, orders: known } = buyer;
  const found: Order[] = await database.query(
    `select id::int, product_id::int, quantity, subtotal + fee as total, refunded, status from orders
      where buyer_id = $1`,
    [agent.id],
  );
  const ids = new Set(found.map(({ id }) => id));
  const wrong = [...known.keys()]
    .filter((id) => !ids.has(id))
    .map((id) => `order ${id} of agent ${agent.id} was sold and does not exist`);
  const uncertain = [...buyer.uncertain];
  let micros = buyer.balance();
  for (const order of found) {
    const own = known.get(order.id);
    if (own) {
      if (own.status === order.status && own.refunded === Number(order.refunded)) continue;
      wrong.push(`order ${order.id} is ${order.status}, and must be ${own.status}`);
      continue;
    }
    micros -= Number(order.total);
    const n = uncertain.findIndex(
      ({ good, quantity }) => good.id === order.product_id && quantity === order.quantity,
    );
    if (n < 0) wrong.push(`order ${order.id} of agent ${agent.id} has no buyer that sent it`);
    else uncertain.splice(n, 1);
  }
  return [...wrong, ...(await checkWallet(database, { id: agent.id, micros }))];
}

async function checkWallet(database: DataSource, { id, micros }: { id: number; micros: number }) {
  const [{ holds }] = await database.query(
    'select credit + cash as holds from ledger.treasury where id = $1',
    [id],
  );
  return Number(holds) === micros ? [] : [`agent ${id} holds ${holds}, and must hold ${micros}`];
}
