import assert from 'node:assert/strict';

import { giveBack } from '../../../kernel/limits/limits.ts';
import type { Micros } from '../../../kernel/money.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { column, row } from '../../../platform/rows.ts';
import { lockTreasuries } from '../../ledger/ledger.ts';
import { assertAffords, cashOnly, lockBalance } from '../../wallet/spend.ts';
import { withPendingOrder } from '../pending/pending_orders.ts';
import { priceOf } from '../order.ts';
import { freeLapsedUnits } from '../purchase/free_units.ts';
import { priceChanged, spendOn } from '../purchase/purchasable.ts';
import { reserve } from '../purchase/reserve.ts';
import { purchaseAlone } from '../purchase/purchase_alone.ts';
import { HOLDING_QUOTES } from './hold_quote.ts';
import type { Quote } from './quote.ts';
import { assertUsable, findQuoted, type QuotedCall } from './quoted.ts';

interface QuotedPurchase extends QuotedCall {
  readonly maxTotal: Micros | null;
}

/**
 * Buys what a quote holds, by its terms, whatever has become of the product. `orderId` is that of
 * the pending order of this call, if an owner has approved it: then its units are free for this
 * transaction alone.
 */
export async function purchaseQuoted(tx: Tx, wanted: QuotedPurchase, orderId: number | undefined) {
  const { db, caller } = tx;
  await lockTreasuries(db, [caller.rootId]);
  const { quote, product } = await findQuoted(tx, wanted, { lock: true });
  assertUsable(quote, product);
  const { id: quoteId, quantity } = quote;
  const { total } = priceOf(product.price, quantity);
  if (wanted.maxTotal !== null && total > wanted.maxTotal) {
    throw priceChanged(total, wanted.maxTotal);
  }
  const locked = await lockBalance(tx, spendOn(product, quantity));
  const balance = product.accepts_credit ? locked : cashOnly(locked);
  const isOfOther = quote.status === 'waiting' && orderId !== quoteId;
  // Those of a purchase that has waited for an owner were its pending order's.
  if (!isOfOther && !quote.holds && product.stock_kind !== 'unlimited') {
    await freeLapsedUnits(db, product.id);
    await reserve(db, product, quote);
  }
  assertAffords(balance);
  // An equal call that waits already is joined.
  if (balance.deferral) throw withPendingOrder(balance.deferral, { product, quantity, quote });
  if (isOfOther) {
    const message = `Another purchase by quote ${quoteId} waits for an owner to approve it.`;
    throw new Refusal('invalid_transition', message, { status: quote.status });
  }
  const productId = product.id;
  const bought = await purchaseAlone(tx, { productId, quantity, maxTotal: null, quoteId });
  assert(bought, 'nothing can refuse it under these locks');
  await assertSameDataset(tx, quote);
  if (product.stock_kind !== 'unlimited') {
    await giveBack(tx, HOLDING_QUOTES, { tree: caller.rootId, of: `product ${productId}` });
  }
  return bought;
}

/** Refuses to sell another version of a dataset: what was replaced is not kept for quotes. */
async function assertSameDataset({ db }: Tx, { id, dataset_version }: Quote): Promise<void> {
  const { is_same } = await row(
    db,
    { is_same: column.boolean },
    `select (select version from dataset_sale where order_id = $1) is not distinct from $2::int
            as is_same`,
    [id, dataset_version],
  );
  if (is_same) return;
  throw new Refusal(
    'invalid_transition',
    'The data was replaced since this quote. Ask for a new one with prepare_purchase_payload.',
    { status: 'expired' },
    {},
    ['prepare_purchase_payload'],
  );
}
