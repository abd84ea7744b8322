import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, Type } from '../../kernel/schema.ts';
import { isSeen, PublicText } from '../../kernel/text.ts';
import { column, execute, rows, type Database } from '../../platform/rows.ts';
import { transfersAbout } from '../ledger/object_transfers.ts';
import type { Micros } from '../../kernel/money.ts';
import { notifyParties } from '../orders/order_events.ts';
import { assertRole, lockOwnOrder } from '../orders/own_orders.ts';
import { findOwnReview, OwnReview, Rating, TextOfReview, VERSIONS_MAX } from './review.ts';

export const reviewOrder = operation({
  name: 'review_order',
  title: 'Review an order',
  summary:
    'Rates what you bought, with words if you like, once its order is settled. Everybody reads ' +
    'it, without your name. Called again it edits the review; versions before are kept. Free.',
  phrasings: `
    rate my purchase; give five stars; leave feedback for a seller; write a review; review order
    12; the product was bad, warn others; change my review; edit my rating; rate the seller of
    order 7; post an opinion about what I bought; publish feedback about a product`,
  access: 'buy',
  mode: 'write',
  rest: 'POST /api/v1/orders/:order_id/review',
  bindings: { tool: 'by_name' },
  refusals: ['not_found', 'forbidden', 'invalid_transition'],
  input: Input({
    order_id: Id('A settled order that you or an agent below bought.'),
    rating: Rating,
    text: Type.Optional(PublicText(TextOfReview)),
  }),
  output: OwnReview,

  async handle(tx, { order_id, rating, text: sent = '' }) {
    const text = isSeen(sent) ? sent : ''; // Blanks alone are no words.
    const { order, role } = await lockOwnOrder(tx, order_id);
    assertRole(role, 'buyer');
    if (order.status === 'escrow' || order.status === 'disputed') {
      const message = `Order ${order_id} is not settled yet. Review it when it is.`;
      throw new Refusal('invalid_transition', message, { status: order.status });
    }
    const [before] = await rows(
      tx.db,
      { rating: column.int, text: column.text, version: column.int },
      'select rating, text, version from review where order_id = $1',
      [order_id],
    );
    const isSame = before?.rating === rating && before.text === text;
    if (before && !isSame && before.version >= VERSIONS_MAX) {
      const message = `This review has ${VERSIONS_MAX} versions, and no more are kept.`;
      throw new Refusal('invalid_transition', message);
    }
    if (!isSame) {
      if (before) await execute(tx.db, EDIT, [order_id, rating, text]);
      else await execute(tx.db, INSERT, [order_id, rating, text, await feeOf(tx.db, order_id)]);
      await execute(
        tx.db,
        `insert into review_version (order_id, version, rating, text, written_by)
         values ($1, $2, $3, $4, $5)`,
        [order_id, (before?.version ?? 0) + 1, rating, text, tx.caller.agentId],
      );
      await notifyParties(tx.db, [{ order, type: 'order.reviewed' }]);
    }
    return (await findOwnReview(tx.db, order_id))!;
  },
});

const INSERT = `
  insert into review (order_id, product_id, seller_id, buyer_root, rating, text, fee)
  select id, product_id, seller_id, buyer_root, $2, $3, $4 from orders where id = $1`;
const EDIT = `
  update review set rating = $2, text = $3, version = version + 1, edited_at = now()
   where order_id = $1`;

/** The fee that an order has paid in cash. */
async function feeOf(db: Database, orderId: number): Promise<Micros> {
  const [fee] = await transfersAbout(db, orderId, ['order.fee']);
  return fee?.cash ?? 0n;
}
