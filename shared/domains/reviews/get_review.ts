import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, Nullable, Output } from '../../kernel/schema.ts';
import { rows } from '../../platform/rows.ts';
import { findOwnReview, OwnReview } from './review.ts';

export const getReview = operation({
  name: 'get_review',
  title: 'Get the review of an order',
  summary:
    'Shows the review of an order of yours or of an agent below, with its versions before and ' +
    'the answer; null: there is none. Free.',
  phrasings: `
    what did the buyer of order 12 write; my review of an order; was my sale reviewed; show the
    feedback on an order; earlier versions of a review; did the seller answer my review`,
  access: 'read',
  mode: 'read',
  rest: 'GET /api/v1/orders/:order_id/review',
  bindings: { tool: 'by_name' },
  refusals: ['not_found'],
  input: Input({ order_id: Id('The order.') }),
  output: Output('ReviewOfOrder', {
    order_id: Id('The order.'),
    review: Nullable(OwnReview),
  }),

  async handle({ db, caller }, { order_id }) {
    const own = await rows(
      db,
      {},
      `select from orders o join agent buyer on buyer.id = o.buyer_id
         join agent seller on seller.id = o.seller_id
        where o.id = $1 and ($2 = any (buyer.lineage) or $2 = any (seller.lineage))`,
      [order_id, caller.agentId],
    );
    if (own.length === 0) throw new Refusal('not_found', `You have no order ${order_id}.`);
    return { order_id, review: (await findOwnReview(db, order_id)) ?? null };
  },
});
