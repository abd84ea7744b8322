import { act, bidOn, hire, openTask, submit } from '../../tasks/board.ts';
import type { Right } from './right.ts';
import type { Party, Scene } from '../scene.ts';

const onlyPoster = { seller: 'forbidden', outsider: 'forbidden' };

/** A new task for its poster, because it may end it. */
async function taskOf({ platform, buyer, task }: Scene, party: Party) {
  if (party !== 'buyer') return { task_id: task };
  return { task_id: await openTask(platform, buyer, { budget: 0.01 }) };
}

async function doneTaskOf(scene: Scene, party: Party) {
  const { task_id: taskId } = await taskOf(scene, party);
  if (party === 'buyer') await submit(scene.platform, { taskId, key: scene.seller.key });
  return { task_id: taskId };
}

async function bidOf(scene: Scene, party: Party) {
  const { task_id: taskId } = await taskOf(scene, party);
  const { body } = await bidOn(scene.platform, { taskId, key: scene.seller.key }, 0.01);
  return { task_id: taskId, bid_id: body.bid_id };
}

/** A task whose worker, the seller, is late: new for who may end that. */
async function assignedOf(scene: Scene, isNew: boolean) {
  const { platform, buyer, seller, task } = scene;
  if (!isNew) return { task_id: task };
  const { task_id: taskId } = await taskOf(scene, 'buyer');
  await hire(platform, { taskId, poster: buyer, worker: seller }, 0.01);
  await platform.query(
    `update task set awaited_since = now() - interval '36 hours' where id = $1`,
    [taskId],
  );
  return { task_id: taskId };
}

/** Work of the seller's that waits to be judged, or was rejected: new for who may judge it. */
async function workOf(scene: Scene, isNew: boolean, isRejected = false) {
  const { platform, buyer, seller, task } = scene;
  if (!isNew) return { task_id: task };
  const { task_id: taskId } = await taskOf(scene, 'buyer');
  await hire(platform, { taskId, poster: buyer, worker: seller }, 0.01);
  await submit(platform, { taskId, key: seller.key });
  if (isRejected) await act(platform, 'reject', { taskId, key: buyer.key }, { reason: 'No.' });
  return { task_id: taskId };
}

/** A task that waits for a verdict. */
export async function disputedTaskOf(scene: Scene) {
  const { task_id: taskId } = await workOf(scene, true, true);
  const { key } = scene.seller;
  await act(scene.platform, 'dispute', { taskId, key }, { reason: 'Yes.' });
  return { task_id: taskId };
}

/** Rights to tasks: the buyer posts them, and the seller works. */
export const TASK_RIGHTS: Readonly<Record<string, Right>> = {
  task_browse: { route: 'GET /api/v1/tasks', access: 'any' },
  get_task: {
    route: 'GET /api/v1/tasks/:task_id',
    access: 'any',
    input: ({ task }) => ({ task_id: task }),
  },
  task_mine: { route: 'GET /api/v1/tasks/mine', access: 'any' },
  task_bids: {
    route: 'GET /api/v1/tasks/:task_id/bids',
    access: 'any',
    input: ({ task }) => ({ task_id: task }),
  },
  task_submissions: {
    route: 'GET /api/v1/tasks/:task_id/submissions',
    access: 'any',
    input: ({ task }) => ({ task_id: task }),
  },
  task_post: {
    route: 'POST /api/v1/tasks',
    access: 'buy',
    input: () => ({ title: 'Name a sea', budget: 0.01 }),
  },
  task_bid: {
    route: 'POST /api/v1/tasks/:task_id/bids',
    access: 'any',
    input: ({ task }) => ({ task_id: task, bid_amount: 0.01 }),
    answers: { buyer: 'forbidden' },
  },
  task_submit: {
    route: 'POST /api/v1/tasks/:task_id/submit',
    access: 'any',
    input: ({ task }) => ({ task_id: task, result: 'The Aral Sea.' }),
    answers: { buyer: 'forbidden' },
  },
  task_withdraw_bid: {
    route: 'POST /api/v1/tasks/:task_id/bids/withdraw',
    access: 'any',
    // A new task: on the other one they all may have bid.
    input: async (scene, party) => {
      const { task_id } = await (party === 'seller' ? bidOf : taskOf)(scene, 'buyer');
      return { task_id };
    },
    answers: { buyer: 'not_found', outsider: 'not_found' },
  },
  task_give_back: {
    route: 'POST /api/v1/tasks/:task_id/give_back',
    access: 'any',
    input: (scene, party) => assignedOf(scene, party === 'seller'),
    answers: { buyer: 'forbidden', outsider: 'forbidden' },
  },
  task_replace_worker: {
    route: 'POST /api/v1/tasks/:task_id/replace_worker',
    access: 'buy',
    input: (scene, party) => assignedOf(scene, party === 'buyer'),
    answers: onlyPoster,
  },
  task_accept_bid: {
    route: 'POST /api/v1/tasks/:task_id/bids/:bid_id/accept',
    access: 'buy',
    input: bidOf,
    answers: onlyPoster,
  },
  task_approve: {
    route: 'POST /api/v1/tasks/:task_id/approve',
    access: 'buy',
    input: doneTaskOf,
    answers: onlyPoster,
  },
  task_request_revision: {
    route: 'POST /api/v1/tasks/:task_id/revision',
    access: 'buy',
    input: async (scene, party) => ({ ...(await workOf(scene, party === 'buyer')), note: 'More.' }),
    answers: onlyPoster,
  },
  task_reject: {
    route: 'POST /api/v1/tasks/:task_id/reject',
    access: 'buy',
    input: async (scene, party) => ({ ...(await workOf(scene, party === 'buyer')), reason: 'No.' }),
    answers: onlyPoster,
  },
  task_dispute: {
    route: 'POST /api/v1/tasks/:task_id/dispute',
    access: 'any',
    input: async (scene, party) => ({
      ...(await workOf(scene, party === 'seller', true)),
      reason: 'It is good.',
    }),
    answers: { buyer: 'forbidden', outsider: 'forbidden' },
  },
  task_cancel: {
    route: 'POST /api/v1/tasks/:task_id/cancel',
    access: 'buy',
    input: taskOf,
    answers: onlyPoster,
  },
};
