import { judge, labor, postLabor, take, work } from '../../labor/pool.ts';
import { done } from '../../tasks/board.ts';
import type { Right } from './right.ts';
import { OPERATOR_TOKEN, type Party, type Scene } from '../scene.ts';

const onlyPoster = { buyer: 'forbidden', outsider: 'forbidden' };
const onlyWorker = { seller: 'not_found', outsider: 'not_found' };

/** A new task for its poster, because it may end it. */
async function taskOf({ platform, seller, laborTask }: Scene, party: Party) {
  if (party !== 'seller') return { task_id: laborTask };
  const { task_id } = done(await postLabor(platform, seller, { reward: 0.001 }));
  return { task_id: task_id as number };
}

/** A unit that the buyer holds: a new one for whoever may end that. */
async function claimOf(scene: Scene, isNew: boolean) {
  if (!isNew) return { task_id: scene.laborTask, claim_id: scene.laborClaim };
  const { task_id } = await taskOf(scene, 'seller');
  const { claim_id } = await take(scene.platform, task_id, scene.buyer);
  return { task_id, claim_id: claim_id as number };
}

/** Work of the buyer's that waits to be judged. */
async function deliveryOf(scene: Scene, isNew: boolean) {
  if (!isNew) return { task_id: scene.laborTask, claim_id: scene.laborClaim };
  const { task_id } = await taskOf(scene, 'seller');
  const { claim_id } = await work(scene.platform, task_id, scene.buyer);
  return { task_id, claim_id: claim_id as number };
}

/** A tree has few appeals at a time. */
async function endAppeals({ platform }: Scene): Promise<void> {
  const key = OPERATOR_TOKEN;
  const { body } = await platform.request('GET /api/v1/admin/disputes/labor', { key });
  for (const { claim_id } of body.appeals) {
    await platform.request(`POST /api/v1/admin/disputes/labor/${claim_id}/verdict`, {
      key,
      body: { verdict: 'accept', note: 'It is one.' },
    });
  }
}

async function rejectedOf(scene: Scene, isNew: boolean) {
  if (isNew) await endAppeals(scene);
  const rejected = await deliveryOf(scene, isNew);
  const pool = { poster: scene.seller, taskId: rejected.task_id };
  if (isNew) await judge(scene.platform, pool, rejected.claim_id, 'reject');
  return rejected;
}

/** A delivery that waits for a verdict. */
export async function appealedOf(scene: Scene) {
  const { task_id: taskId, claim_id } = await rejectedOf(scene, true);
  const { key } = scene.buyer;
  await labor(scene.platform, 'appeal', { taskId, key }, { claim_id, reason: 'It is one.' });
  return { claim_id };
}

/** Rights to labor: the seller posts it, and the buyer works. */
export const LABOR_RIGHTS: Readonly<Record<string, Right>> = {
  list_labor_tasks: { route: 'GET /api/v1/labor', access: 'any' },
  get_labor_task: {
    route: 'GET /api/v1/labor/:task_id',
    access: 'any',
    input: ({ laborTask }) => ({ task_id: laborTask }),
  },
  labor_claims: {
    route: 'GET /api/v1/labor/:task_id/claims',
    access: 'any',
    input: ({ laborTask }) => ({ task_id: laborTask }),
  },
  post_labor_task: {
    route: 'POST /api/v1/labor',
    access: 'sell',
    input: () => ({
      kind: 'labeling',
      title: 'Cat or dog',
      instructions: 'Answer cat or dog.',
      reward: 0.001,
      units: [{ payload: 'A picture.' }],
    }),
  },
  labor_results: {
    route: 'GET /api/v1/labor/:task_id/results',
    access: 'sell',
    input: ({ laborTask }) => ({ task_id: laborTask }),
    answers: onlyPoster,
  },
  upload_labor_units: {
    route: 'POST /api/v1/labor/uploads',
    access: 'sell',
    input: () => ({ jsonl: '{"payload": "A picture."}' }),
  },
  take_labor_task: {
    route: 'POST /api/v1/labor/:task_id/take',
    access: 'any',
    input: ({ laborTask }) => ({ task_id: laborTask }),
    answers: { seller: 'forbidden' },
  },
  deliver_labor_task: {
    route: 'POST /api/v1/labor/:task_id/deliver',
    access: 'any',
    input: async (scene, party) => ({
      ...(await claimOf(scene, party === 'buyer')),
      submission: 'cat',
    }),
    answers: onlyWorker,
    object: 'claim_id',
  },
  labor_heartbeat: {
    route: 'POST /api/v1/labor/:task_id/heartbeat',
    access: 'any',
    input: (scene, party) => claimOf(scene, party === 'buyer'),
    answers: onlyWorker,
    object: 'claim_id',
  },
  labor_release: {
    route: 'POST /api/v1/labor/:task_id/release',
    access: 'any',
    input: (scene, party) => claimOf(scene, party === 'buyer'),
    answers: onlyWorker,
    object: 'claim_id',
  },
  labor_appeal: {
    route: 'POST /api/v1/labor/:task_id/appeal',
    access: 'any',
    input: async (scene, party) => ({
      ...(await rejectedOf(scene, party === 'buyer')),
      reason: 'It is one.',
    }),
    isLimited: true,
    answers: onlyWorker,
    object: 'claim_id',
  },
  judge_labor_claim: {
    route: 'POST /api/v1/labor/:task_id/claims/:claim_id/judge',
    access: 'sell',
    input: async (scene, party) => ({
      ...(await deliveryOf(scene, party === 'seller')),
      verdict: 'accept',
    }),
    answers: onlyPoster,
  },
  block_labor_worker: {
    route: 'POST /api/v1/labor/blocks',
    access: 'sell',
    // The buyer has taken units of the seller's alone.
    input: ({ buyer }) => ({ agent_id: buyer.id, blocked: false }),
    answers: { buyer: 'not_found', outsider: 'not_found' },
    object: 'agent_id',
  },
  pause_labor_task: {
    route: 'POST /api/v1/labor/:task_id/pause',
    access: 'sell',
    input: taskOf,
    answers: onlyPoster,
  },
  cancel_labor_task: {
    route: 'POST /api/v1/labor/:task_id/cancel',
    access: 'sell',
    input: taskOf,
    answers: onlyPoster,
  },
};
