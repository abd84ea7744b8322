import type { DataSource } from 'typeorm';

import type { JobAnswer } from '../jobs/jobs.ts';
import { operation, type Tx } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Amount, Id, Input, OneOf, Output, Text, Time, Type, Usd } from '../kernel/schema.ts';
import type { Static } from '../kernel/schema.ts';
import { fromUsd, toUsd, type Micros } from '../ledger/money.ts';
import { column, jsonOf, nullable, row, rows } from '../platform/rows.ts';
import { affords, assertAffords, cashOnly, lockBalance } from '../wallet/spend.ts';
import { Quantity, quote } from './order.ts';
import { closePendingOrder, takePendingOrder, withPendingOrder } from './pending/pending_orders.ts';
import { assertInStock, findPurchasable, lockUnits, outOfStock, spendOn } from './purchasable.ts';
import { SPENDING_REFUSALS } from '../wallet/spending_refusals.ts';

const Bought = Output('Purchase', {
  order_id: Id('Of the new order.'),
  status: OneOf(['escrow'], 'Paid, delivered, held until it is released.'),
  item_endpoint: Text(1, 40, 'Where the delivered item can be read.'),
  product_id: Id('What was bought.'),
  quantity: Quantity,
  total_due: Amount('What was taken from the wallet.'),
  release_at: Time('When the escrow is released to the seller.'),
});
type Answer = Static<typeof Bought>;

export const purchaseProduct = operation({
  name: 'purchase_product',
  title: 'Buy a product',
  summary:
    'Buys units of a product: takes price plus 10 % fee from the wallet into escrow and delivers ' +
    'to the vault at once. Read it with get_vault_item. Send an idempotency key to be charged ' +
    'once however often you repeat the call.',
  access: 'buy',
  mode: 'job',
  domain: 'orders',
  queue: 'money',
  rest: 'POST /api/v1/orders',
  core: true,
  destructive: true,
  refusals: [
    'not_found',
    'product_unavailable',
    'self_purchase',
    'out_of_stock',
    ...SPENDING_REFUSALS,
  ],
  input: Input({
    product_id: Id('The product. From search_assets or list_products.'),
    quantity: Type.Optional(Quantity),
    max_total_due: Type.Optional(
      Usd(
        'The most you will pay, fee included: if the price is higher by then, nothing is bought.',
      ),
    ),
  }),
  output: Bought,

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

  // The lock order of all transactions: the tree, then the product, then its stock.
  async handle(tx, { product_id: productId, quantity = 1, max_total_due }) {
    const maxTotal = max_total_due === undefined ? null : fromUsd(max_total_due);
    const wanted = { productId, quantity, maxTotal };
    // Of a call that an owner has approved: what was reserved for it is for sale, to it alone.
    const orderId = await takePendingOrder(tx);
    await refuse(tx, wanted);
    const bought = await purchase(tx, wanted, orderId);
    if (bought) return bought;
    // The product has changed since, or other transactions hold the last units.
    await refuse(tx, wanted);
    throw outOfStock(productId, quantity);
  },

  handleMany: purchaseMany,

  onRefuse: ({ db }, { id: jobId, code }) =>
    closePendingOrder(db, { jobId, end: code === 'approval_expired' ? 'expired' : 'cancelled' }),
});

interface Purchase {
  readonly productId: number;
  readonly quantity: number;
  /** What the caller will pay at most, fee included; null: any price. */
  readonly maxTotal: Micros | null;
}

/** Explains why the caller cannot buy this now, if so. Otherwise the caller's tree is locked. */
async function refuse(tx: Tx, { productId, quantity, maxTotal }: Purchase): Promise<void> {
  const product = await findPurchasable(tx.db, tx.caller, { productId, quantity });
  const { total } = quote(product.price, quantity);
  if (maxTotal !== null && total > maxTotal) throw priceChanged(total, maxTotal);
  const locked = await lockBalance(tx, spendOn(product, quantity));
  const balance = product.accepts_credit ? locked : cashOnly(locked);
  // That there are too few units is refused before that there is too little money.
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

/** Buys by the SQL of a lone call. Nothing is bought if that is in doubt. */
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

/** Buys for a whole batch in one call. What it is in doubt about, it leaves to `handle`. */
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
