import { Refusal } from '../../../kernel/refusal.ts';
import { invalid } from '../../../kernel/schema.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { column, row, type Row } from '../../../platform/rows.ts';
import { IN_STOCK, PURCHASABLE } from '../purchase/purchasable.ts';
import { findQuotes, lockQuotes, type Quote } from './quote.ts';

/** A purchase that names a quote, as it was called. */
export interface QuotedCall {
  readonly quoteId: number;
  readonly productId: number | undefined;
  readonly quantity: number | undefined;
}

const QUOTED = {
  ...PURCHASABLE,
  /** Whether the product is on sale with these terms now. */
  is_current: column.boolean,
  is_closed: column.boolean,
};
/** The product as it was quoted. */
type Quoted = Row<typeof QUOTED>;

/** Finds a quote of the caller's, with the product at its price. Refuses one of others. */
export async function findQuoted(
  { db, caller }: Tx,
  { quoteId, productId, quantity }: QuotedCall,
  { lock }: { readonly lock: boolean },
): Promise<{ quote: Quote; product: Quoted }> {
  const find = lock ? lockQuotes : findQuotes;
  const [quote] = await find(db, 'id = $1 and agent_id = $2', [quoteId, caller.agentId]);
  if (!quote) {
    throw new Refusal('not_found', `You have no quote ${quoteId}. ${ASK}`, {}, {}, [PREVIEW]);
  }
  assertEqual('product_id', productId, quote.product_id);
  assertEqual('quantity', quantity, quote.quantity);
  const product = await row(
    db,
    QUOTED,
    `select p.id, p.seller_id, p.root_id, p.category, p.status, p.active, q.unit_price as price,
            q.accepts_credit, p.stock_kind, q.version, ${IN_STOCK},
            (p.version, p.price, p.release_hours, p.accepts_credit)
              = (q.version, q.unit_price, q.release_hours, q.accepts_credit)
              and is_for_sale(p, q.root_id) as is_current,
            seller.closed_at is not null as is_closed
       from quote q join product p on p.id = q.product_id join agent seller on seller.id = p.root_id
      where q.id = $1`,
    [quoteId, quote.quantity, caller.agentId],
  );
  return { quote, product };
}

/**
 * Refuses a quote that was bought or is over. One that waits for an owner has a time of its own,
 * after which it can still be bought as long as the product is sold by the same terms.
 */
export function assertUsable({ id, status, is_over }: Quote, product: Quoted): void {
  if (status === 'bought') {
    const message = `Quote ${id} was bought before: it is order ${id}. ${ASK}`;
    throw new Refusal('invalid_transition', message, { status, order_id: id }, {}, [PREVIEW]);
  }
  if (status === 'ended' || (is_over && !(status === 'waiting' && product.is_current))) {
    const message = `Quote ${id} is over, and its price is held no longer. ${ASK}`;
    throw new Refusal('invalid_transition', message, { status: 'expired' }, {}, [PREVIEW]);
  }
  // A seller who changes or ends an offer is held to its quotes. An operator is not.
  if (product.status === 'suspended' || product.status === 'rejected' || product.is_closed) {
    throw new Refusal('product_unavailable', 'This product may not be sold any more.');
  }
}

const PREVIEW = 'prepare_purchase_payload';
const ASK = `Ask for a new one with ${PREVIEW}.`;

function assertEqual(field: string, sent: number | undefined, quoted: number): void {
  if (sent === undefined || sent === quoted) return;
  const message = `is ${sent}, and the quote is for ${quoted}: leave it out, or send that`;
  throw invalid([{ pointer: `/${field}`, message }]);
}
