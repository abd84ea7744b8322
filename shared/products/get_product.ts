import { operation } from '../kernel/operation.ts';
import { Id, Input } from '../kernel/schema.ts';
import { ProductView, selectListings, sellersViewOf, viewOf } from './product_view.ts';
import { ON_SALE } from './products.ts';
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
  refusals: ['not_found'],
  input: Input({ product_id: Id('The product.') }),
  output: ProductView,

  async handle({ db, caller }, { product_id }) {
    const [listing] = await selectListings(
      db,
      `where p.id = $1 and (${ON_SALE} or seller.root_id = $2)`,
      [product_id, caller.rootId],
    );
    if (!listing) throw noSuchProduct();
    return listing.root_id === caller.rootId ? sellersViewOf(listing) : viewOf(listing);
  },
});
