import { emit } from '../events/events.ts';
import { operation } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Id, ID_MAX, Input, OneOf, Text, Type } from '../kernel/schema.ts';
import { Shown } from '../kernel/text.ts';
import { column, rows } from '../platform/rows.ts';
import { findSellersView, ProductView } from './product_view.ts';
import { findProduct, type Status } from './products.ts';

/** From which statuses to which. */
const DECISIONS = {
  approve: { from: ['pending_review', 'suspended'], to: 'approved' },
  reject: { from: ['pending_review'], to: 'rejected' },
  suspend: { from: ['approved'], to: 'suspended' },
} as const satisfies Record<string, { from: readonly Status[]; to: Status }>;

export const reviewProduct = operation({
  name: 'review_product',
  title: 'Review a product',
  summary:
    'Approves or rejects a product that waits for review, suspends one that is approved, or ' +
    'approves a suspended one again. For operators.',
  access: 'operator',
  mode: 'write',
  domain: 'products',
  rest: 'POST /api/v1/admin/products/:product_id/review',
  tool: false,
  actsOn: { kind: 'product', field: 'product_id' },
  refusals: ['not_found', 'invalid_transition'],
  input: Input({
    product_id: Id('The product.'),
    decision: OneOf(['approve', 'reject', 'suspend'], 'What becomes of it.'),
    note: Type.Optional(Shown(Text(1, 500, 'Why: the seller reads it.'))),
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: ID_MAX,
        description:
          'The version that was looked at: one that was changed since is not judged. Send it, or ' +
          'what is approved may not be what you saw.',
      }),
    ),
  }),
  output: ProductView,

  async handle({ db }, { product_id, decision, note = null, version = null }) {
    const { from, to } = DECISIONS[decision];
    const [changed] = await rows(
      db,
      { seller_id: column.id },
      `update product set status = $2, review_note = $3, updated_at = now()
        where id = $1 and status = any ($4) and version = coalesce($5, version)
        returning seller_id`,
      [product_id, to, note, from, version],
    );
    if (!changed) throw await whyNot();
    const object = { kind: 'product', id: product_id, status: to };
    const data = { product_id, by_operator: true as const };
    await emit(db, [{ agentId: changed.seller_id, type: `product.${to}`, object, data }]);
    return findSellersView(db, product_id);

    async function whyNot(): Promise<Refusal> {
      const product = await findProduct(db, product_id);
      if (!product) return new Refusal('not_found', 'There is no such product.');
      if (version !== null && version !== product.version) {
        return new Refusal(
          'invalid_transition',
          `This product was changed: it is at version ${product.version} now. Look at it again.`,
          { version: product.version },
        );
      }
      return new Refusal(
        'invalid_transition',
        `This product is ${product.status}; to ${decision} it, it must be ${from.join(' or ')}.`,
        { status: product.status },
      );
    }
  },
});
