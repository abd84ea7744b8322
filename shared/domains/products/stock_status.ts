import { operation } from '../../kernel/operation.ts';
import { Id, Input } from '../../kernel/schema.ts';
import { findProduct } from './products.ts';
import { foreignProduct } from './selling.ts';
import { StockView, stockOf } from './stock.ts';

export const stockStatus = operation({
  name: 'stock_status',
  title: 'Count my stock',
  summary:
    'Counts the units of a product that you sell: available, sold and ever listed. To add some, ' +
    'use add_stock. Free.',
  phrasings: `
    how many units are left; inventory of a product of mine; is my offer sold out; stock level;
    is my item running out of stock; count of unsold keys; sold versus available units; do I
    need to restock; remaining inventory of my listing; how much is left to sell; available
    quantity of my product; when will I run out; remaining codes; amount in warehouse; unsold
    licences; check supply; how many did I sell and how many remain; is there enough stock;
    count what remains`,
  access: 'sell',
  mode: 'read',
  rest: 'GET /api/v1/products/:product_id/stock',
  refusals: ['not_found', 'forbidden'],
  input: Input({ product_id: Id('A product of yours.') }),
  output: StockView,

  async handle(tx, { product_id }) {
    const product = await findProduct(tx.db, product_id);
    if (product?.seller_id !== tx.caller.agentId) throw await foreignProduct(tx, product_id);
    return stockOf(tx.db, product_id);
  },
});
