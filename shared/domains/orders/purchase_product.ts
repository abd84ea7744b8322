import type { DataSource } from 'typeorm';

import type { JobAnswer } from '../../kernel/terms/job_answer.ts';
import { operation } from '../../kernel/operation.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Id, Type, Usd, type Static } from '../../kernel/schema.ts';
import { fromUsd, type Micros } from '../../kernel/money.ts';
import { column, rows } from '../../platform/rows.ts';
import { affords, assertAffords, cashOnly, lockBalance } from '../wallet/spend.ts';
import { Quantity, priceOf } from './order.ts';
import { closePendingOrder, takePendingOrder, withPendingOrder } from './pending/pending_orders.ts';
import {
  assertInStock,
  findPurchasable,
  lockUnits,
  outOfStock,
  priceChanged,
  spendOn,
  type Purchasable,
} from './purchase/purchasable.ts';
import { freeHeldUnits } from './purchase/free_units.ts';
import { purchaseAlone, PurchaseOutput } from './purchase/purchase_alone.ts';
import { purchaseQuoted } from './quotes/purchase_quoted.ts';
import { assertUsable, findQuoted } from './quotes/quoted.ts';
import { repeatHint } from './purchase/repeat_hint.ts';
import { InputUnless } from '../../kernel/terms/input_unless.ts';
import { SPENDING_REFUSALS } from '../wallet/spending_refusals.ts';

const PurchaseInput = InputUnless(
  { product_id: 'quote_id' },
  {
    product_id: Type.Optional(Id('The product. From search_assets or list_products.')),
    quantity: Type.Optional(Quantity),
    max_total_due: Type.Optional(
      Usd('The most you will pay, fee included. Above it nothing is bought.'),
    ),
    quote_id: Type.Optional(Id('Buys exactly that. From prepare_purchase_payload.')),
  },
);
type PurchaseCall = Static<typeof PurchaseInput>;

export const purchaseProduct = operation({
  name: 'purchase_product',
  title: 'Buy a product',
  summary:
    'Buys units of a product: takes price plus 10 % fee from the wallet into escrow and ' +
    'delivers to the vault at once. Read it with get_vault_item. Then confirm_order or ' +
    'dispute_order. Send an idempotency key so that a repeat is not charged again.',
  phrasings: `
    buy this; pay for a product now; order one or more units; place an order; get me that key;
    buy item 15; I will take it, checkout; purchase two of listing 77 from my balance; pay for
    it and have it delivered instantly; place the order now; get one copy of that; complete the
    purchase; grab the license key, charge my wallet; order product 9, quantity 3; make the
    purchase; acquire this license; I want it, take my money; complete checkout; buy now;
    proceed to payment; go ahead and order; get two pieces; spend balance on this item;
    subscribe to that service; buy dataset or API access; I will have one of those; let us buy
    it; pay for it; take three units; execute the purchase; grab this for me; go through with
    the buy; procure; spend my funds on this`,
  access: 'buy',
  mode: 'job',
  queue: 'money',
  rest: 'POST /api/v1/orders',
  effects: { destructive: true, takes: 'total_due' },
  refusals: [
    'not_found',
    'product_unavailable',
    'self_purchase',
    'out_of_stock',
    'seller_not_allowed',
    'invalid_transition',
    ...SPENDING_REFUSALS,
  ],
  input: PurchaseInput,
  defaults: { quantity: 1 },
  output: PurchaseOutput,

  paid: {
    soldWithoutKey: {
      deliveredBy: ({ order_id }) => ({ operation: 'get_vault_item', input: { order_id } }),
    },
    async costOf(tx, input) {
      const { max_total_due } = input;
      const { product, quantity } = await findWanted(tx, input);
      const { total } = priceOf(product.price, quantity);
      const most = max_total_due === undefined ? total : fromUsd(max_total_due);
      if (total > most) throw priceChanged(total, most);
      return { amount: total, isCashOnly: !product.accepts_credit };
    },
  },

  // The lock order of all transactions: the tree, then the product, then its stock.
  async handle(tx, input) {
    const maxTotal = input.max_total_due === undefined ? null : fromUsd(input.max_total_due);
    // If an owner has approved this call, the units reserved for it become available to it alone.
    const orderId = await takePendingOrder(tx);
    const quoted = quotedCallOf(input);
    if (quoted) return purchaseQuoted(tx, { ...quoted, maxTotal }, orderId);
    const productId = input.product_id!; // required by the schema
    const { quantity = 1 } = input;
    const wanted = { productId, quantity, maxTotal };
    await refuse(tx, wanted);
    const bought = await purchaseAlone(tx, { ...wanted, orderId });
    if (bought) return bought;
    // The product has changed since, or other transactions hold the last units.
    await refuse(tx, wanted);
    throw outOfStock(productId, quantity);
  },

  batch: { handleMany: purchaseMany },
  stored: { repeatHint },

  ends: {
    onRefuse: ({ db }, { id: jobId, code }) =>
      closePendingOrder(db, { jobId, end: code === 'approval_expired' ? 'expired' : 'cancelled' }),
  },
});

const quotedCallOf = ({ quote_id: quoteId, product_id: productId, quantity }: PurchaseCall) =>
  quoteId === undefined ? undefined : { quoteId, productId, quantity };

/** Finds the product of a call, at its price. Refuses what no payment would buy. */
async function findWanted(
  tx: Tx,
  input: PurchaseCall,
): Promise<{ product: Purchasable; quantity: number }> {
  const quoted = quotedCallOf(input);
  if (quoted) {
    const { quote, product } = await findQuoted(tx, quoted, { lock: false });
    assertUsable(quote, product);
    return { product, quantity: quote.quantity };
  }
  const { quantity = 1 } = input;
  const product = await findPurchasable(tx.db, tx.caller, {
    productId: input.product_id!, // required by the schema
    quantity,
  });
  assertInStock(product, quantity);
  return { product, quantity };
}

interface Purchase {
  readonly productId: number;
  readonly quantity: number;
  /** The most the caller will pay, fee included; null: any price. */
  readonly maxTotal: Micros | null;
}

/** Refuses if the caller cannot buy this now. Otherwise the caller's tree is locked afterwards. */
async function refuse(tx: Tx, { productId, quantity, maxTotal }: Purchase): Promise<void> {
  const product = await findPurchasable(tx.db, tx.caller, { productId, quantity });
  const { total } = priceOf(product.price, quantity);
  if (maxTotal !== null && total > maxTotal) throw priceChanged(total, maxTotal);
  const locked = await lockBalance(tx, spendOn(product, quantity));
  const balance = product.accepts_credit ? locked : cashOnly(locked);
  // in_stock counts them.
  if (product.in_stock !== null && product.in_stock >= quantity) {
    await freeHeldUnits(tx.db, product, { agentId: tx.caller.agentId, quantity });
  }
  // out_of_stock comes before insufficient_balance, as in SQL.
  if (!affords(balance)) assertInStock(product, quantity);
  assertAffords(balance);
  if (product.stock_kind === 'serial_pool' && quantity > 1) await lockUnits(tx, product, quantity);
  if (balance.deferral) throw withPendingOrder(balance.deferral, { product, quantity });
}

/** Buys for a whole batch in one call. Purchases that may be refused are left to `handle`. */
async function purchaseMany(
  db: DataSource,
  jobIds: readonly string[],
): Promise<readonly JobAnswer[]> {
  const answers = await rows(
    db,
    { id: column.text, answer: column.text },
    'select id, answer from perform_purchases($1)',
    [jobIds],
  );
  return answers.map((answer) => ({ status: 'complete', httpStatus: 200, ...answer }));
}
