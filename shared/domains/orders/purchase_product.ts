import type { DataSource } from 'typeorm';

import type { JobAnswer } from '../../kernel/terms/job_answer.ts';
import { operation } from '../../kernel/operation.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Amount, Id, Input, OneOf, Output, Text, Time, Type, Usd } from '../../kernel/schema.ts';
import type { Static } from '../../kernel/schema.ts';
import { fromUsd, toUsd, type Micros } from '../../kernel/money.ts';
import { column, jsonOf, nullable, row, rows } from '../../platform/rows.ts';
import { affords, assertAffords, cashOnly, lockBalance } from '../wallet/spend.ts';
import { Quantity, quote } from './order.ts';
import { closePendingOrder, takePendingOrder, withPendingOrder } from './pending/pending_orders.ts';
import {
  assertInStock,
  findPurchasable,
  lockUnits,
  outOfStock,
  spendOn,
} from './purchase/purchasable.ts';
import { repeatHint } from './purchase/repeat_hint.ts';
import { SPENDING_REFUSALS } from '../wallet/spending_refusals.ts';

const PurchaseOutput = Output('Purchase', {
  order_id: Id('The new order.'),
  status: OneOf(['escrow'], 'Paid and delivered.'),
  item_endpoint: Text(1, 40, 'Path of the delivered item.'),
  product_id: Id('The product.'),
  quantity: Quantity,
  total_due: Amount('Taken from the wallet.'),
  release_at: Time('The seller is paid then.'),
  possible_repeat_of: Type.Optional(Id('An equal order of the last minute.')),
  hint: Type.Optional(Type.String({ description: 'A way to undo it.' })),
});
type Answer = Static<typeof PurchaseOutput>;

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
    ...SPENDING_REFUSALS,
  ],
  input: Input({
    product_id: Id('The product. From search_assets or list_products.'),
    quantity: Type.Optional(Quantity),
    max_total_due: Type.Optional(
      Usd('The most you will pay, fee included. Above it nothing is bought.'),
    ),
  }),
  defaults: { quantity: 1 },
  output: PurchaseOutput,

  paid: {
    soldWithoutKey: {
      deliveredBy: ({ order_id }) => ({ operation: 'get_vault_item', input: { order_id } }),
    },
    async costOf(tx, { product_id: productId, quantity = 1, max_total_due }) {
      const product = await findPurchasable(tx.db, tx.caller, { productId, quantity });
      assertInStock(product, quantity);
      const { total } = quote(product.price, quantity);
      const most = max_total_due === undefined ? total : fromUsd(max_total_due);
      if (total > most) throw priceChanged(total, most);
      return { amount: total, isCashOnly: !product.accepts_credit };
    },
  },

  // The lock order of all transactions: the tree, then the product, then its stock.
  async handle(tx, { product_id: productId, quantity = 1, max_total_due }) {
    const maxTotal = max_total_due === undefined ? null : fromUsd(max_total_due);
    const wanted = { productId, quantity, maxTotal };
    // If an owner has approved this call, the units reserved for it become available to it alone.
    const orderId = await takePendingOrder(tx);
    await refuse(tx, wanted);
    const bought = await purchase(tx, wanted, orderId);
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

interface Purchase {
  readonly productId: number;
  readonly quantity: number;
  /** The most the caller will pay, fee included; null: any price. */
  readonly maxTotal: Micros | null;
}

/** Refuses if the caller cannot buy this now. Otherwise the caller's tree is locked afterwards. */
async function refuse(tx: Tx, { productId, quantity, maxTotal }: Purchase): Promise<void> {
  const product = await findPurchasable(tx.db, tx.caller, { productId, quantity });
  const { total } = quote(product.price, quantity);
  if (maxTotal !== null && total > maxTotal) throw priceChanged(total, maxTotal);
  const locked = await lockBalance(tx, spendOn(product, quantity));
  const balance = product.accepts_credit ? locked : cashOnly(locked);
  // out_of_stock comes before insufficient_balance, as in SQL.
  if (!affords(balance)) assertInStock(product, quantity);
  assertAffords(balance);
  if (product.stock_kind === 'serial_pool' && quantity > 1) await lockUnits(tx, product, quantity);
  if (balance.deferral) throw withPendingOrder(balance.deferral, product, quantity);
}

const priceChanged = (total: Micros, maxTotal: Micros) =>
  new Refusal(
    'price_changed',
    `This costs $${toUsd(total)} now, more than your max_total_due of $${toUsd(maxTotal)}.`,
    { total_due: toUsd(total), max_total_due: toUsd(maxTotal) },
  );

/** Buys by the SQL of a single call, which buys nothing if it may have to be refused. */
async function purchase(
  { db, key, caller }: Tx,
  { productId, quantity, maxTotal }: Purchase,
  orderId: number | undefined,
) {
  const { answer } = await row(
    db,
    { answer: nullable(jsonOf<Answer>()) },
    'select purchase_alone($1, $2, $3, $4, $5, $6) as answer',
    [key, caller.agentId, productId, quantity, maxTotal, orderId ?? null],
  );
  return answer;
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
  return answers.map((answer) => ({ ...answer, status: 'complete', httpStatus: 200 }));
}
