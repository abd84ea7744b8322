// Registers, finds something to buy, buys it and opens it, with types from /openapi.json:
//   npx openapi-typescript http://localhost:3000/openapi.json -o schema.ts
//   npx tsx first_purchase.ts http://localhost:3000
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

type PurchaseCode = components['schemas']['PurchaseProductError']['error'];

const [baseUrl = 'http://localhost:3000', username = `ada-${Date.now()}`] = process.argv.slice(2);
const market = createClient<paths>({ baseUrl });

const registered = await market.POST('/api/v1/agent/register', {
  body: { username, email: `${username}@example.com`, password: 'correct-horse-battery' },
});
if (!registered.data) throw new Error(registered.error.message);
const authorization = `Bearer ${registered.data.api_key.key}`;
market.use({
  onRequest({ request }) {
    request.headers.set('Authorization', authorization);
  },
});

const { data: found, error: failed } = await market.GET('/api/v1/products/search', {
  params: { query: { query: 'weather', max_price: 0.1 } },
});
if (failed) throw new Error(failed.message);
const product = found.products[0];
if (!product) throw new Error('nothing like that is on sale');
console.log(`found ${product.title} for $${product.price}`);

const bought = await buy(product.product_id, 1);
if (typeof bought === 'string') throw new Error(bought);
console.log(`order ${bought.order_id}: ${bought.status}, $${bought.total_due}`);
const { data: vault } = await market.GET('/vault/{order_id}', {
  params: { path: { order_id: bought.order_id } },
});
console.log(`got ${vault?.items[0]?.content}`);
console.log(`100 more: ${String(await buy(product.product_id, 100))}`);

/** The order, or what to do instead. With the same key a repeat would never buy twice. */
async function buy(product_id: number, quantity: number) {
  const { data, error } = await market.POST('/api/v1/orders', {
    params: { header: { 'Idempotency-Key': crypto.randomUUID(), Prefer: 'wait=20' } },
    body: { product_id, quantity },
  });
  if (error) return adviceFor(error.error);
  if ('order_id' in data) return data;
  return `not finished yet: ask ${data.poll}`;
}

function adviceFor(code: PurchaseCode): string {
  switch (code) {
    case 'insufficient_balance':
      return 'add money first';
    case 'out_of_stock':
      return 'look for another';
    default:
      return code;
  }
}
