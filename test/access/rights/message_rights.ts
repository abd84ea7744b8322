import { disputeOf } from '../fresh_objects.ts';
import type { Right } from './right.ts';

/** Rights to messages: the buyer and the seller write about their order, task and claim. */
export const MESSAGE_RIGHTS: Readonly<Record<string, Right>> = {
  send_message: {
    route: 'POST /api/v1/messages',
    access: 'buy',
    input: ({ order }) => ({ order_id: order, text: 'Is it for one computer?' }),
    answers: { outsider: 'not_found' },
    object: 'order_id',
    also: {
      'a task': {
        input: ({ hiredTask, buyer, seller }, party) => ({
          task_id: hiredTask,
          to_agent_id: party === 'buyer' ? seller.id : buyer.id,
          text: 'In which language?',
        }),
        answers: { outsider: 'forbidden' }, // Everybody sees the task.
      },
      'a claim': {
        input: ({ laborClaim }) => ({ claim_id: laborClaim, text: 'Is a lynx a cat?' }),
        answers: { outsider: 'not_found' },
        object: 'claim_id',
      },
    },
  },
  inbox: { route: 'GET /api/v1/inbox', access: 'any' },
  list_messages: { route: 'GET /api/v1/messages', access: 'read' },
  list_dispute_messages: {
    route: 'GET /api/v1/admin/disputes/:kind/:id/messages',
    access: 'operator',
    isTool: false,
    input: async (scene) => ({ kind: 'order', id: (await disputeOf(scene, 'buyer')).order_id }),
  },
};
