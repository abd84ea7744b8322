import { balanceOf, spendableOf, sumOf } from '../ledger/ledger.ts';
import { toUsd } from '../../kernel/money.ts';
import { operation } from '../../kernel/operation.ts';
import { Amount, Id, Input, OneOf, Output, Time, Type } from '../../kernel/schema.ts';
import { findBrokenRule } from '../wallet/policy.ts';
import { Quantity, priceOf } from './order.ts';
import {
  holdQuote,
  lockForQuote,
  NOT_HELD,
  type HeldQuote,
  type NotHeld,
} from './quotes/hold_quote.ts';
import { assertInStock, findPurchasable, spendOn } from './purchase/purchasable.ts';

export const preparePurchasePayload = operation({
  name: 'prepare_purchase_payload',
  title: 'Preview a purchase',
  summary:
    'Shows the cost of a purchase (subtotal, fee of 10 %, total_due), whether the wallet covers ' +
    'it, and whether a policy forbids it or needs an approval. Holds price and units for a ' +
    'minute, for purchase_product with quote_id. Takes no money. Free.',
  phrasings: `
    what would it cost with fee; price, fee and total before I buy; preview or quote of a
    purchase; can I afford it, would my limits allow it; how much to pay for several units; dry
    run of the checkout; final amount with all fees before paying; your cut on top of the
    sticker price; how much would three of those cost all in; simulate the order; estimate of
    the total; do I have enough to buy it; would this purchase be blocked by policy; what is the
    commission on item 55; what is the final price; cost estimate before ordering; total due
    with commission; checkout summary; calculate the bill; is my balance enough for this
    purchase; how expensive is it with fees; tell me the sum before I confirm; price for
    quantity; do not buy yet, only show the amount; what is the damage in total; run the numbers
    before I buy; how does the price break down; including your cut, what do I pay; check an
    order before it is placed; cost check`,
  access: 'read',
  mode: 'write',
  effects: {},
  rest: 'POST /api/v1/orders/preview',
  refusals: ['not_found', 'product_unavailable', 'self_purchase', 'out_of_stock'],
  input: Input({
    product_id: Id('The product. From search_assets or list_products.'),
    quantity: Type.Optional(Quantity),
    hold: Type.Optional(Type.Boolean({ description: 'False: only look.' })),
  }),
  output: Output('PurchasePreview', {
    product_id: Id('The product.'),
    quantity: Quantity,
    unit_price: Amount('Price of one unit.'),
    subtotal: Amount('unit_price × quantity.'),
    fee: Amount('10 % of the subtotal.'),
    total_due: Amount('subtotal + fee, which purchase_product takes.'),
    affordable: Type.Boolean({ description: 'The wallet covers it and no policy forbids it.' }),
    needs_approval: Type.Boolean({
      description: 'An owner must approve it: the call is answered 202 and waits.',
    }),
    policy_trace: Type.Optional(
      Type.Unknown({ description: 'The rule that forbids it or asks, and its limits.' }),
    ),
    version: Type.Integer({ description: 'Version of the product.' }),
    held: Type.Boolean({ description: 'They are held for you.' }),
    quote_id: Type.Optional(Id('For purchase_product, once.')),
    expires_at: Type.Optional(Time('The end of that.')),
    not_held: Type.Optional(OneOf(NOT_HELD, 'Why nothing is held.')),
  }),

  async handle(tx, { product_id, quantity = 1, hold = true }) {
    const mayHold = hold && tx.caller.scopes.includes('buy');
    if (mayHold) await lockForQuote(tx, product_id);
    const product = await findPurchasable(tx.db, tx.caller, { productId: product_id, quantity });
    assertInStock(product, quantity);
    const { unitPrice, subtotal, fee, total } = priceOf(product.price, quantity);
    const broken = await findBrokenRule(tx, spendOn(product, quantity));
    const holds = spendableOf(await balanceOf(tx.db, tx.caller.rootId));
    const balance = product.accepts_credit ? sumOf(holds) : holds.cash;
    const affordable = balance >= total && (!broken || broken.asks !== undefined);
    return {
      product_id,
      quantity,
      unit_price: toUsd(unitPrice),
      subtotal: toUsd(subtotal),
      fee: toUsd(fee),
      total_due: toUsd(total),
      affordable,
      needs_approval: broken?.asks !== undefined,
      ...(broken && { policy_trace: broken.trace }),
      version: product.version,
      ...heldAs(
        !hold
          ? 'not_asked'
          : !mayHold
            ? 'no_buy_scope'
            : affordable
              ? await holdQuote(tx, { product, quantity, balance })
              : 'not_affordable',
      ),
    };
  },
});

const heldAs = (quote: HeldQuote | NotHeld) =>
  typeof quote === 'string'
    ? { held: false, not_held: quote }
    : { held: true, quote_id: quote.id, expires_at: quote.expires_at.toISOString() };
