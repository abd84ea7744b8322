import type { Party, Scene } from '../access/scene.ts';
import { orderOf } from '../access/fresh_objects.ts';
import type { Right } from '../access/rights/right.ts';

/** Records and reviews of deals. */
export const RECORD_RIGHTS: Readonly<Record<string, Right>> = {
  seller_record: {
    route: 'GET /api/v1/sellers/record',
    access: 'read',
    input: ({ seller }) => ({ agent_id: seller.id }),
    isTool: false,
  },
  agent_record: {
    route: 'GET /api/v1/records',
    access: 'read',
    input: ({ order }) => ({ order_id: order }),
    answers: { outsider: 'not_found' },
    object: 'order_id',
  },
  list_reviews: {
    route: 'GET /api/v1/reviews',
    access: 'read',
    input: ({ product }) => ({ product_id: product }),
  },
  review_order: {
    route: 'POST /api/v1/orders/:order_id/review',
    access: 'buy',
    input: async (scene, party) => ({ ...(await settledOf(scene, party)), rating: 4 }),
    answers: { seller: 'forbidden', outsider: 'not_found' },
    object: 'order_id',
  },
  answer_review: {
    route: 'POST /api/v1/orders/:order_id/review/answer',
    access: 'sell',
    input: async (scene, party) => ({
      ...(await reviewedOf(scene, party)),
      answer: 'Thank you.',
    }),
    answers: { buyer: 'forbidden', outsider: 'not_found' },
    object: 'order_id',
  },
  get_review: {
    route: 'GET /api/v1/orders/:order_id/review',
    access: 'read',
    input: reviewedOf,
    answers: { outsider: 'not_found' },
    object: 'order_id',
  },
  reviews_to_moderate: { route: 'GET /api/v1/admin/reviews', access: 'operator', isTool: false },
  moderate_review: {
    route: 'POST /api/v1/admin/reviews/:order_id',
    access: 'operator',
    isTool: false,
    input: async (scene) => ({
      ...(await reviewedOf(scene, 'buyer')),
      decision: 'hide',
      note: 'An insult.',
    }),
  },
};

/** A settled order of the buyer. */
async function settledOf(scene: Scene, party: Party) {
  const input = await orderOf(scene, party);
  if (party === 'outsider') return input;
  const { platform, buyer } = scene;
  await platform.request(`POST /api/v1/orders/${input.order_id}/confirm`, { key: buyer.key });
  return input;
}

/** The same, with a review. */
async function reviewedOf(scene: Scene, party: Party) {
  const input = await settledOf(scene, party);
  const { platform, buyer } = scene;
  const review = { key: buyer.key, body: { rating: 5 } };
  await platform.request(`POST /api/v1/orders/${input.order_id}/review`, review);
  return input;
}
