// Follows one deal from its quote to its receipt, and trusts nothing but the public keys:
//   node dist/examples/proven_deal.js http://localhost:3000 vnx_… <product_id> [<keys>]
// <keys> is the address of the keys that you trust; /.well-known/jwks.json of the marketplace if
// absent. Ends with an error if the receipt is not of what was quoted, paid and delivered.
import { openMarket, verifyReceipt, type ReceiptKeys, type Schemas } from '../src/client.ts';
import { args } from './program.ts';

/** A receipt is asked for each second, for ten minutes. */
const [ASK_EVERY_MS, ASKED_MAX] = [1_000, 600];

const [baseUrl = 'http://localhost:3000', key = '', product = '', address] = args;
const market = openMarket({ baseUrl, key });
const product_id = Number(product);

const { agent_id } = await market.agent_me();
const { title, description } = await market.get_product({ product_id });

const quote = await market.prepare_purchase_payload({ product_id });
if (quote.quote_id === undefined) throw new Error(`nothing is held: ${String(quote.not_held)}`);
const order_id = quote.quote_id;
console.log(`quote ${order_id}: $${quote.total_due} until ${String(quote.expires_at)}`);

await market.purchase_product(
  { product_id, quote_id: order_id },
  { idempotencyKey: `quote-${order_id}` },
);
const { items } = await market.get_vault_item({ order_id });
await market.confirm_order({ order_id });
console.log(`order ${order_id}: paid, opened and confirmed`);

const { receipt, content_salt } = await receiptOf(order_id);
const keys = await keysOf(address ?? `${baseUrl}/.well-known/jwks.json`);
const signed = await verifyReceipt(receipt, keys);
console.log(`receipt ${signed.receipt_id}: signed`);

const delivered = [content_salt, ...items.map(({ content }) => content)].join('\n');
const faults = Object.entries({
  'the order': [signed.kind, signed.object_id, 'order', order_id],
  'the outcome': [signed.outcome, 'completed'],
  'the buyer': [signed.payer?.agent_id, agent_id],
  'the product': [signed.item['product_id'], product_id],
  'the version': [signed.item['version'], quote.version],
  'the quantity': [signed.item['quantity'], quote.quantity],
  'the price': [signed.amounts.paid, quote.total_due],
  'the fee': [signed.amounts.fee, quote.fee],
  'the listing': [signed.item['listing_sha256'], await sha256(`${title}\n${description.content}`)],
  'the goods': [signed.item['content_sha256'], await sha256(delivered)],
}).filter(([, sides]) => {
  const half = sides.length / 2;
  return sides.slice(0, half).some((side, n) => side !== sides[half + n]);
});
for (const [what] of faults) console.error(`${what} is not what the receipt says`);
if (faults.length > 0) throw new Error('the receipt is of another deal');
console.log(`proven: $${signed.amounts.paid} for product ${product_id}, version ${quote.version}`);

async function keysOf(place: string): Promise<ReceiptKeys> {
  const answer = await fetch(place);
  if (!answer.ok) throw new Error(`${place} answered ${answer.status}`);
  return (await answer.json()) as ReceiptKeys;
}

/** The receipt of the order, which is issued within half a minute, or later behind many others. */
async function receiptOf(object_id: number): Promise<Schemas['Receipt']> {
  for (let n = 0; n < ASKED_MAX; n += 1) {
    const { receipts } = await market.list_receipts({ kind: 'order', object_id });
    if (receipts[0]) return receipts[0];
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
  throw new Error(`order ${object_id} is paid, and has no receipt yet: ask list_receipts later`);
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
