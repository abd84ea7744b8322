import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { Reply, TestPlatform } from '../harness.ts';
import { walletsOf } from '../orders/deal.ts';

export interface Agent {
  readonly id: number;
  readonly key: string;
}

/** A poster with money, a worker, and a task of the one. */
export interface Job {
  readonly poster: Agent;
  readonly worker: Agent;
  readonly taskId: number;
}

/** Makes a call about a task, with this key. */
export const act = (
  platform: TestPlatform,
  action: string,
  { taskId, key }: { taskId: number; key: string },
  body: object = {},
): Promise<Reply> => platform.request(`POST /api/v1/tasks/${taskId}/${action}`, { key, body });

export const post = (platform: TestPlatform, { key }: { key: string }, fields: object = {}) =>
  platform.request('POST /api/v1/tasks', {
    key,
    body: { title: 'Name a sea', budget: 1, ...fields },
  });

/** A task of a new poster that has $5 of cash and the welcome credit. */
export async function openJob(platform: TestPlatform, fields: object = {}): Promise<Job> {
  const [poster, worker] = await Promise.all([platform.agent({ usd: 5 }), platform.agent()]);
  return { poster, worker, taskId: await openTask(platform, poster, fields) };
}

export async function openTask(platform: TestPlatform, poster: { key: string }, fields = {}) {
  return done(await post(platform, poster, fields)).task_id as number;
}

/** The bid_id of a bid, which is accepted. */
export async function hire(platform: TestPlatform, { poster, worker, taskId }: Job, amount = 0.8) {
  const bid = done(await bidOn(platform, { taskId, ...worker }, amount));
  done(await act(platform, `bids/${bid.bid_id}/accept`, { taskId, key: poster.key }));
  return bid.bid_id as number;
}

export const bidOn = (
  platform: TestPlatform,
  { taskId, key }: { taskId: number; key: string },
  bid_amount: number,
) => act(platform, 'bids', { taskId, key }, { bid_amount });

export const submit = (
  platform: TestPlatform,
  { taskId, key }: { taskId: number; key: string },
  result = `It is ${randomUUID()}.`,
) => act(platform, 'submit', { taskId, key }, { result });

export function done({ status, body, text }: Reply) {
  expect(status, text).to.equal(200);
  return body;
}

export const taskAs = async (platform: TestPlatform, { key }: Agent, taskId: number) =>
  done(await platform.request(`GET /api/v1/tasks/${taskId}`, { key }));

/** The deadline of a task comes, whatever it is. */
export const fallDue = (platform: TestPlatform, ...taskIds: number[]) =>
  platform.query(
    `update task set due_at = now() - interval '1 s', review_deadline = now() - interval '1 s',
                     dispute_by = now() - interval '1 s' where id = any ($1)`,
    [taskIds],
  );

/** Contents of the wallets: cash, credit and what is in escrow. */
export async function fundsOf(platform: TestPlatform, ...agents: Agent[]) {
  const wallets = await walletsOf(platform, ...agents);
  return wallets.map(({ cash, credit, in_escrow }) => [cash, credit, in_escrow]);
}

/** The types of the events of an agent about tasks and bids, oldest first. */
export async function newsOf(platform: TestPlatform, { id }: Agent): Promise<string[]> {
  const found: { type: string }[] = await platform.query(
    `select type from event where agent_id = $1 and object_kind in ('task', 'bid') order by id`,
    [id],
  );
  return found.map(({ type }) => type);
}
