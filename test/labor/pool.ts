import { expect } from 'chai';

import type { Reply, TestPlatform } from '../harness.ts';
import { runTimer } from '../orders/trade.ts';
import { done, type Agent } from '../tasks/board.ts';

export interface Pool {
  readonly poster: Agent;
  readonly taskId: number;
}

/** Units of these payloads. */
export const unitsOf = (...payloads: string[]) => payloads.map((payload) => ({ payload }));

export const postLabor = (platform: TestPlatform, { key }: { key: string }, fields: object = {}) =>
  platform.request('POST /api/v1/labor?wait=20', {
    key,
    body: {
      kind: 'labeling',
      title: 'Cat or dog',
      instructions: 'Answer cat or dog.',
      reward: 0.01,
      units: unitsOf('first', 'second'),
      ...fields,
    },
  });

/** A labor task of a new poster that has $5 of cash and the welcome credit. */
export async function openPool(platform: TestPlatform, fields: object = {}): Promise<Pool> {
  const poster = await platform.agent({ usd: 5 });
  return { poster, taskId: done(await postLabor(platform, poster, fields)).task_id };
}

/** Makes a call about a labor task, with this key. */
export const labor = (
  platform: TestPlatform,
  action: string,
  { taskId, key }: { taskId: number; key: string },
  body: object = {},
): Promise<Reply> => platform.request(`POST /api/v1/labor/${taskId}/${action}`, { key, body });

export async function take(platform: TestPlatform, taskId: number, { key }: { key: string }) {
  return done(await labor(platform, 'take', { taskId, key }));
}

export const deliver = (
  platform: TestPlatform,
  { taskId, key }: { taskId: number; key: string },
  claim_id: number,
  submission = 'cat',
) => labor(platform, 'deliver?wait=20', { taskId, key }, { claim_id, submission });

/** Takes a unit and answers it. */
export async function work(
  platform: TestPlatform,
  taskId: number,
  { key }: { key: string },
  submission = 'cat',
) {
  const { claim_id } = await take(platform, taskId, { key });
  return done(await deliver(platform, { taskId, key }, claim_id, submission));
}

export const judge = (
  platform: TestPlatform,
  { poster, taskId }: Pool,
  claimId: number,
  verdict: 'accept' | 'reject',
) =>
  labor(
    platform,
    `claims/${claimId}/judge`,
    { taskId, key: poster.key },
    { verdict, ...(verdict === 'reject' && { reason: 'It is neither.' }) },
  );

export const laborAs = async (platform: TestPlatform, { key }: { key: string }, taskId: number) =>
  done(await platform.request(`GET /api/v1/labor/${taskId}`, { key }));

export async function claimsAs(
  platform: TestPlatform,
  { key }: { key: string },
  taskId: number,
): Promise<Record<string, unknown>[]> {
  return done(await platform.request(`GET /api/v1/labor/${taskId}/claims`, { key })).claims;
}

/** The poster has accepted five deliveries of each of these workers before. */
export const knownTo = (platform: TestPlatform, { poster }: Pool, ...workers: Agent[]) =>
  platform.query(
    `insert into labor_verdict (root_id, poster_root, day, judged, accepted)
     select root_id, $2, (now() at time zone 'UTC')::date, 5, 5
       from unnest($1::bigint[]) as root_id`,
    [workers.map(({ id }) => id), poster.id],
  );

/** The verdicts on what was delivered to a task fall due. */
export async function verdictsOf(platform: TestPlatform, taskId: number): Promise<void> {
  await platform.query(
    `update labor_claim set due_at = now() where task_id = $1 and status = 'verifying'`,
    [taskId],
  );
  await runTimer(platform, 'settle_due_labor');
}

/** Takes and answers units until none is left for this worker. */
export async function workThrough(
  platform: TestPlatform,
  taskId: number,
  { key }: { key: string },
  answerTo: (payload: string) => string,
): Promise<Record<string, unknown>[]> {
  const delivered: Record<string, unknown>[] = [];
  for (;;) {
    const { status, body } = await labor(platform, 'take', { taskId, key });
    if (status !== 200) return delivered;
    const answer = answerTo(body.payload.content);
    delivered.push(done(await deliver(platform, { taskId, key }, body.claim_id, answer)));
  }
}

/** Whatever these claims wait for comes now. */
export const claimsFallDue = (platform: TestPlatform, ...claimIds: number[]) =>
  platform.query(
    `update labor_claim set due_at = now() - interval '1 s'
      where id = any ($1) and closed_at is null and due_at is not null`,
    [claimIds],
  );

/** Contents of the wallet: cash, credit and what is in escrow. */
export async function walletOf(platform: TestPlatform, { key }: { key: string }) {
  const { cash, credit, in_escrow } = done(await platform.request('GET /api/v1/wallet', { key }));
  return [cash, credit, in_escrow];
}

export async function newsOfLabor(platform: TestPlatform, { id }: Agent): Promise<string[]> {
  const found: { type: string }[] = await platform.query(
    `select type from event where agent_id = $1 and type like 'labor.%' order by id`,
    [id],
  );
  return found.map(({ type }) => type);
}

export function expectStatus({ status, body, text }: Reply, expected: string): void {
  expect(status, text).to.equal(200);
  expect(body.status).to.equal(expected);
}
