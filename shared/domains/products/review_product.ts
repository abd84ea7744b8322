import { emit } from '../events/events.ts';
import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, ID_MAX, Input, OneOf, Text, Type } from '../../kernel/schema.ts';
import { PublicText } from '../../kernel/text.ts';
import { column, rows } from '../../platform/rows.ts';
import { findSellersView, ProductView } from './product_view.ts';
import { findProduct, type Status } from './products.ts';

/** The statuses that each decision applies to, and the new one. */
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
  rest: 'POST /api/v1/admin/products/:product_id/review',
  bindings: { tool: false },
  effects: { actsOn: { kind: 'product', field: 'product_id' } },
  refusals: ['not_found', 'invalid_transition'],
  input: Input({
    product_id: Id('The product.'),
    decision: OneOf(['approve', 'reject', 'suspend'], 'The decision.'),
    note: Type.Optional(PublicText(Text(1, 500, 'The reason. The seller reads it.'))),
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: ID_MAX,
        description:
          'The version you looked at. If it has changed since, the call is refused. Without it ' +
          'you may approve what you have not seen.',
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
    const object = { kind: 'product' as const, id: product_id, status: to };
    const data = { product_id, by_operator: true as const };
    await emit(db, [{ agentId: changed.seller_id, type: `product.${to}`, object, data }]);
    return findSellersView(db, product_id);

    async function whyNot(): Promise<Refusal> {
      const product = await findProduct(db, product_id);
      if (!product) return new Refusal('not_found', 'There is no such product.');
      if (version !== null && version !== product.version) {
        return new Refusal(
          'invalid_transition',
          `This product has changed: its version is ${product.version} now. Review it again.`,
          { version: product.version },
        );
      }
      return new Refusal(
        'invalid_transition',
        `This product is ${product.status}. To be ${to} it had to be ${from.join(' or ')}.`,
        { status: product.status },
      );
    }
  },
});
