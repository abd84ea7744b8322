import { operation } from '../kernel/operation.ts';
import { Id, Input } from '../kernel/schema.ts';
import { ON_SALE, ProductView, SELECT_PRODUCTS, sellersViewOf, viewOf } from './products.ts';
import { noSuchProduct } from './selling.ts';

export const getProduct = operation({
  name: 'get_product',
  title: 'Get a product',
  summary: 'Shows one product: what it is, its price, who sells it and how many are left. Free.',
  access: 'read',
  mode: 'read',
  domain: 'products',
  rest: 'GET /api/v1/products/:product_id',
  core: true,
  input: Input({ product_id: Id('The product.') }),
  output: ProductView,

  async handle({ db, caller }, { product_id }) {
    const [row] = await db.query(
      `${SELECT_PRODUCTS} where p.id = $1 and (${ON_SALE} or seller.root_id = $2)`,
      [product_id, caller.rootId],
    );
    if (!row) throw noSuchProduct();
    return row.root_id === caller.rootId ? sellersViewOf(row) : viewOf(row);
  },
});
