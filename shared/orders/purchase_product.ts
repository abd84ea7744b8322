import type { DataSource } from 'typeorm';

import { emit } from '../events/events.ts';
import type { JobAnswer } from '../jobs/jobs.ts';
import { escrow, nextTransferId } from '../ledger/ledger.ts';
import { toUsd } from '../ledger/money.ts';
import { operation, type Tx } from '../kernel/operation.ts';
import type { Product } from '../products/products.ts';
import { Amount, Id, Input, OneOf, Output, Text, Time, Type } from '../kernel/schema.ts';
import { affords, assertAffords, fundsFrom, lockBalance, spend } from '../wallet/spend.ts';
import type { LockedBalance } from '../wallet/spend.ts';
import { itemEndpoint, Orders, Quantity, quote, type Order, type Quote } from './orders.ts';
import { assertInStock, findPurchasable, takeStock } from './purchasable.ts';

export const purchaseProduct = operation({
  name: 'purchase_product',
  title: 'Buy a product',
  summary:
    'Buys units of a product: takes price plus 10 % fee from the wallet into escrow and delivers ' +
    'to the vault at once (read it with get_vault_item). Send an idempotency key to be charged ' +
    'once however often you repeat the call.',
  access: 'buy',
  mode: 'job',
  domain: 'orders',
  queue: 'money',
  rest: 'POST /api/v1/orders',
  core: true,
  destructive: true,
  input: Input({
    product_id: Id('From search_assets or list_products.'),
    quantity: Type.Optional(Quantity),
  }),
  output: Output({
    order_id: Id('Of the new order.'),
    status: OneOf(['escrow'], 'Paid, delivered, held until it is released.'),
    item_endpoint: Text(1, 40, 'Where the delivered item can be read.'),
    product_id: Id('What was bought.'),
    quantity: Quantity,
    total_due: Amount('What was taken from the wallet.'),
    release_at: Time('When the escrow is released to the seller.'),
  }),

  // The lock order of the house: the tree, then the product, then its stock.
  async handle(tx, { product_id, quantity = 1 }) {
    const product = await findPurchasable(tx.db, tx.caller, product_id);
    const price = quote(product.price, quantity);
    const locked = await lockBalance(tx, { amount: price.total, productType: product.category });
    if (!affords(locked)) {
      await assertInStock(tx.db, product, quantity); // what is sold out is told before the money
      assertAffords(locked);
    }

    const order = await record(tx, { product, quantity, price, locked });
    await takeStock(tx.db, { product, quantity, orderId: order.id });
    const { escrowId } = order;
    await spend(tx, locked, {
      id: escrowId,
      kind: 'order.hold',
      ref: order.id,
      to: escrow(escrowId),
    });
    const object = { kind: 'order', id: order.id, status: 'escrow' };
    const data = { order_id: order.id, product_id, quantity };
    const told = { type: 'order.created', object, data };
    await emit(tx.db, [
      { agentId: order.buyerId, ...told },
      { agentId: order.sellerId, ...told },
    ]);
    // The same fields, in this order, come from the SQL of a batch.
    return {
      order_id: order.id,
      status: 'escrow' as const,
      item_endpoint: itemEndpoint(order.id),
      product_id,
      quantity,
      total_due: toUsd(price.total),
      release_at: order.releaseAt.toISOString(),
    };
  },

  handleMany: buyMany,
});

async function record(
  tx: Tx,
  of: { product: Product; quantity: number; price: Quote; locked: LockedBalance },
): Promise<Order> {
  const { product, quantity, price, locked } = of;
  return tx.db.getRepository(Orders).save({
    jobId: tx.key,
    buyerId: tx.caller.agentId,
    sellerId: product.seller_id,
    productId: product.id,
    version: product.version,
    quantity,
    unitPrice: price.unitPrice,
    subtotal: price.subtotal,
    fee: price.fee,
    ...fundsFrom(locked),
    escrowId: String(await nextTransferId(tx.db)),
    status: 'escrow',
    releaseAt: new Date(tx.now.getTime() + product.release_hours * 3_600_000),
    refunded: 0n,
    revealedAt: null,
    closedAt: null,
  });
}

/** A whole batch in one statement; whatever it is in doubt about, it leaves to `handle`. */
async function buyMany(db: DataSource, jobIds: readonly string[]): Promise<readonly JobAnswer[]> {
  const rows: { id: string; answer: string }[] = await db.query(
    'select id, answer from perform_purchases($1)',
    [jobIds],
  );
  return rows.map((row) => ({ ...row, status: 'complete', httpStatus: 200 }));
}
