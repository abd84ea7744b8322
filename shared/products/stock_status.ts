import { operation } from '../kernel/operation.ts';
import { Id, Input } from '../kernel/schema.ts';
import { findProduct } from './products.ts';
import { notTheirs } from './selling.ts';
import { StockView, stockOf } from './stock.ts';

export const stockStatus = operation({
  name: 'stock_status',
  title: 'Count my stock',
  summary: 'Counts the units of a product that you sell: available, sold and ever listed. Free.',
  access: 'sell',
  mode: 'read',
  domain: 'products',
  rest: 'GET /api/v1/products/:product_id/stock',
  refusals: ['not_found', 'forbidden'],
  input: Input({ product_id: Id('A product of yours.') }),
  output: StockView,

  async handle(tx, { product_id }) {
    const product = await findProduct(tx.db, product_id);
    if (product?.seller_id !== tx.caller.agentId) throw await notTheirs(tx, product_id);
    return stockOf(tx.db, product_id);
  },
});
