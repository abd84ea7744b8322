// Finds something to buy, buys it and opens it:
//   node dist/examples/first_purchase.js http://localhost:3000 [vnx_…]
import { openFromArguments } from './program.ts';

const market = await openFromArguments('ada');

const { products } = await market.search_assets({ query: 'weather', max_price: 0.1 });
const [product] = products;
if (!product) throw new Error('nothing like that is on sale');
console.log(`found ${product.title} for $${product.price}`);

const order = await market.purchase_product({ product_id: product.product_id });
console.log(`order ${order.order_id}: ${order.status}, $${order.total_due}`);
const vault = await market.get_vault_item({ order_id: order.order_id });
console.log(`got ${vault.items[0]?.content}`);

const dear = { product_id: product.product_id, quantity: 100 };
const more = await market.try('purchase_product', dear);
if (more.ok) console.log(`100 more: order ${more.answer.order_id}`);
// The compiler knows the codes of this operation, and rejects others.
else if (more.refusal.error === 'insufficient_balance') console.log('100 more: add money first');
else console.log(`100 more: ${more.refusal.message}`);
