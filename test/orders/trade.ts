import { randomUUID } from 'node:crypto';

import { transact } from '../../shared/platform/database.ts';
import { insertJobs, newJobId } from '../../shared/jobs/jobs.ts';
import { eventually, type TestPlatform } from '../harness.ts';

export interface Agent {
  readonly id: number;
  readonly key: string;
  readonly username: string;
}

/** A seller with a product and a buyer with money. */
export async function meet(
  platform: TestPlatform,
  { usd = 5, ...fields }: Record<string, unknown> = {},
) {
  const seller = await platform.agent();
  const buyer = await platform.agent({ usd: Number(usd) });
  return { seller, buyer, product: await platform.product(seller, fields) };
}

/** The order_id of one more purchase. */
export async function buy(
  platform: TestPlatform,
  buyer: { key: string },
  product: { id: number },
  quantity = 1,
): Promise<number> {
  const { body } = await platform.request('POST /api/v1/orders', {
    key: buyer.key,
    body: { product_id: product.id, quantity },
  });
  if (!body.order_id) throw new Error(`buying failed: ${JSON.stringify(body)}`);
  return body.order_id;
}

/** The time to release these orders comes. */
export const fallDue = (platform: TestPlatform, ...orderIds: number[]) =>
  platform.query(`update orders set release_at = now() - interval '1 second' where id = any ($1)`, [
    orderIds,
  ]);

/** Starts the job of a timer now. The request id of that job, and of those that it starts. */
export async function startTimer(platform: TestPlatform, operation: string): Promise<string> {
  const { database, clock, queue } = platform.context;
  const id = newJobId(clock.now());
  const call = {
    agentId: 0,
    rootId: 0,
    input: {},
    hash: Buffer.alloc(32),
    requestId: randomUUID(),
  };
  await transact(database, (db) => insertJobs(db, [{ id, operation, ...call }]));
  await queue.push({ queue: 'money', operation, ids: [id] });
  return call.requestId;
}

/**
 * The same, and waits until it has ended, with all jobs that it started and that are due soon. In
 * transactions, which repeat the wait for a connection when many calls keep all of them busy.
 */
export async function runTimer(platform: TestPlatform, operation: string): Promise<object[]> {
  const answers = await endOf(platform, await startTimer(platform, operation));
  await newlyDone(platform, operation); // No part of what the next `runSweep` answers.
  return answers;
}

/** SQL: the job has ended, or is due within a minute. */
const SOON = `(status <> 'pending' or run_at is null or run_at < now() + interval '1 minute')`;

async function endOf({ context }: TestPlatform, requestId: string): Promise<object[]> {
  const find = `select status, answer from job where request_id = $1 and ${SOON} order by id`;
  const rows: { status: string; answer: object }[] = await eventually(
    () => transact(context.database, (db) => db.query(find, [requestId]), { readOnly: true }),
    (jobs) => jobs.every(({ status }) => status !== 'pending'),
  );
  return rows.map(({ answer }) => answer);
}

/**
 * The same, and answers what this timer has done in all since it was last run by a test. The
 * schedule of the platform may start it too, at any moment, and then that job may come first.
 */
export async function runSweep(platform: TestPlatform, operation: string): Promise<Counts> {
  await endOf(platform, await startTimer(platform, operation));
  const find = `select from job where operation = $1 and status = 'pending' and ${SOON}`;
  await eventually(
    () => platform.query(find, [operation]),
    (pending) => pending.length === 0,
  );
  const sums: Counts = {};
  for (const counts of await newlyDone(platform, operation)) {
    for (const [what, count] of Object.entries(counts)) sums[what] = (sums[what] ?? 0) + count;
  }
  return sums;
}

type Counts = Record<string, number>;

/** The jobs of timers that `newlyDone` has answered, by platform. */
const answered = new WeakMap<TestPlatform, Set<string>>();

/** Answers of the jobs of a timer that have ended since the last call of this for it. */
async function newlyDone(platform: TestPlatform, operation: string): Promise<Counts[]> {
  const ids = answered.get(platform) ?? new Set();
  answered.set(platform, ids);
  const find = `select id, answer from job where operation = $1 and status = 'complete'`;
  const jobs: { id: string; answer: Counts }[] = await transact(
    platform.context.database,
    (db) => db.query(find, [operation]),
    { readOnly: true },
  );
  const found = jobs.filter(({ id }) => !ids.has(id));
  for (const { id } of found) ids.add(id);
  return found.map(({ answer }) => answer);
}

/** The types of the agent's events, oldest first. */
export async function eventsOf(platform: TestPlatform, agent: { id: number }): Promise<string[]> {
  const rows = await platform.query('select type from event where agent_id = $1 order by id', [
    agent.id,
  ]);
  return rows.map(({ type }: { type: string }) => type);
}
