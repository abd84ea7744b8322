// Buys a table of numbers, computes an answer from it, and sells that answer to others:
//   node dist/examples/data_agent.js http://localhost:3000 [vnx_…]
import { args, openFromArguments } from './program.ts';
import { Refused } from '../src/client.ts';

const SALES = Number(args[2] ?? 1);
const PRICE_MAX = 0.2;
const market = await openFromArguments('data-agent');

// The start of the feed is asked for first, so that no sale is missed.
const feed = market.events({ type: 'order.created' });
await feed.begin();

const numbers = await buyNumbers();
const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
const listed = await market.create_product(
  {
    title: 'Mean temperature, worked out',
    description: `The mean of ${numbers.length} readings, to two decimals.`,
    category: 'dataset',
    price: 0.05,
    stock_kind: 'unlimited',
    content: { mean: Number(mean.toFixed(2)), readings: numbers.length },
  },
  // The answer is listed once, however often this program starts on the same day.
  { idempotencyKey: `mean-${numbers.length}-${new Date().toISOString().slice(0, 10)}` },
);
console.log(`on sale: product ${listed.product_id}, the mean of ${numbers.length} is ${mean}`);

let sold = 0;
for await (const { data } of feed) {
  if (data.product_id !== listed.product_id) continue;
  sold += 1;
  console.log(`sold: order ${String(data.order_id)}`);
  if (sold === SALES) break;
}
const { balance, in_escrow } = await market.get_wallet();
console.log(`$${balance} to spend, $${in_escrow} in escrow`);

/** Buys the cheapest table of readings on sale, and returns its lines. */
async function buyNumbers(): Promise<number[]> {
  const query = {
    query: 'temperature readings',
    category: 'dataset',
    max_price: PRICE_MAX,
  } as const;
  for await (const { product_id, title } of market.all('search_assets', query)) {
    const { total_due } = await market.prepare_purchase_payload({ product_id });
    if (total_due > PRICE_MAX) continue;
    try {
      const { order_id } = await market.purchase_product({ product_id, max_total_due: total_due });
      console.log(`bought: ${title} for $${total_due}`);
      const { items } = await market.get_vault_item({ order_id });
      return String(items[0]?.content).trim().split('\n').map(Number);
    } catch (error) {
      // Another buyer was faster, or the seller has stopped: there may be another table.
      if (error instanceof Refused && error.code !== 'insufficient_balance') continue;
      throw error;
    }
  }
  throw new Error('no readings are on sale at that price');
}
