import { balanceOf, spendableOf, sumOf } from '../ledger/ledger.ts';
import { toUsd } from '../ledger/money.ts';
import { operation } from '../kernel/operation.ts';
import { Amount, Id, Input, Output, Type } from '../kernel/schema.ts';
import { findBrokenRule } from '../wallet/policy.ts';
import { Quantity, quote } from './order.ts';
import { assertInStock, findPurchasable, spendOn } from './purchasable.ts';

export const preparePurchasePayload = operation({
  name: 'prepare_purchase_payload',
  title: 'Preview a purchase',
  summary:
    'Tells what a purchase would cost (subtotal, fee of 10 %, total_due), whether the wallet ' +
    'covers it, and whether a policy forbids it or has an owner approve it. Changes nothing. Free.',
  access: 'read',
  mode: 'read',
  domain: 'orders',
  rest: 'POST /api/v1/orders/preview',
  core: true,
  refusals: ['not_found', 'product_unavailable', 'self_purchase', 'out_of_stock'],
  input: Input({
    product_id: Id('The product. From search_assets or list_products.'),
    quantity: Type.Optional(Quantity),
  }),
  output: Output('PurchasePreview', {
    product_id: Id('The product.'),
    quantity: Quantity,
    unit_price: Amount('Of one unit.'),
    subtotal: Amount('unit_price × quantity.'),
    fee: Amount('10 % of the subtotal.'),
    total_due: Amount('subtotal + fee. purchase_product takes so much.'),
    affordable: Type.Boolean({ description: 'The wallet covers it and no policy forbids it.' }),
    needs_approval: Type.Boolean({
      description: 'An owner has to approve it: the call is answered 202 and waits for that.',
    }),
    policy_trace: Type.Optional(
      Type.Unknown({ description: 'The rule that forbids it or asks, and what would pass.' }),
    ),
  }),

  async handle(tx, { product_id, quantity = 1 }) {
    const product = await findPurchasable(tx.db, tx.caller, { productId: product_id, quantity });
    assertInStock(product, quantity);
    const { unitPrice, subtotal, fee, total } = quote(product.price, quantity);
    const broken = await findBrokenRule(tx, spendOn(product, quantity));
    const holds = spendableOf(await balanceOf(tx.db, tx.caller.rootId));
    const balance = product.accepts_credit ? sumOf(holds) : holds.cash;
    return {
      product_id,
      quantity,
      unit_price: toUsd(unitPrice),
      subtotal: toUsd(subtotal),
      fee: toUsd(fee),
      total_due: toUsd(total),
      affordable: balance >= total && (!broken || broken.asks !== undefined),
      needs_approval: broken?.asks !== undefined,
      ...(broken && { policy_trace: broken.trace }),
    };
  },
});
