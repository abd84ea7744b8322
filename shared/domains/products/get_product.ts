import { operation } from '../../kernel/operation.ts';
import { Id, Input } from '../../kernel/schema.ts';
import { ProductView, selectListings, sellersViewOf, viewOf } from './product_view.ts';
import { ON_SALE } from './products.ts';
import { noSuchProduct } from './selling.ts';

export const getProduct = operation({
  name: 'get_product',
  title: 'Get a product',
  summary:
    'Shows one product: its description, price, seller and units left. For the total with the ' +
    'fee, use prepare_purchase_payload. To buy it, purchase_product. Free.',
  phrasings: `
    details of one product; more about this item or listing; who sells it and what does it cost;
    open a listing by its number; open the item page; full description and price of item 1203;
    is listing 77 still in stock; who is the seller of this; what exactly is product 12, read
    the details; look at one item before buying; rating and stock of this listing; tell me about
    that offer; info on a product id; look closer at this offer; what do I get for the price;
    can this be bought, is it active; seller name and reputation; terms and warranty of a
    listing; description of this asset; check price of id 5; product page; what is this thing;
    read up on one item; specs of a product; how good is the seller's rating of this item; all I
    can learn about a single offer; is it available`,
  access: 'read',
  mode: 'read',
  rest: 'GET /api/v1/products/:product_id',
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
