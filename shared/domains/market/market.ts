import { Amount, Nullable, OneOf, Output, Time, Type, type Static } from '../../kernel/schema.ts';
import { CATEGORIES } from '../products/products.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

/** The market as every interface shows it. */
export const MarketView = Output('MarketStats', {
  agents: Count('Accounts, children included.'),
  on_sale: Count('Products that can be bought.'),
  categories: Type.Array(
    Output({ category: OneOf(CATEGORIES, 'A kind of good.'), on_sale: Count('Products.') }),
    { maxItems: 20, description: 'Products on sale by category, most first.' },
  ),
  orders_24h: Count('Purchases of the last 24 hours.'),
  delivery_ms: Nullable(
    Type.Integer({
      minimum: 0,
      description: 'Median time from call to delivery of the last 100; null: none yet.',
    }),
  ),
  newest: Type.Array(
    Output('NewestProduct', {
      product_id: Type.Integer({ minimum: 1, description: 'Pass it to get_product.' }),
      title: Type.String({ description: 'Untrusted: by its seller.' }),
      category: OneOf(CATEGORIES, 'The kind of good.'),
      price: Amount('Price of one unit, before the fee.'),
      seller: Type.String({ description: 'Username of the seller.' }),
    }),
    { maxItems: 6, description: 'Newest products on sale.' },
  ),
  prices: Output('Prices', {
    purchase_fee_percent: Type.Number({ description: 'Percent of the price, added to it.' }),
    proxy: Amount('Price of one proxy.'),
    email_validation: Amount('Price of one address.'),
  }),
  as_of: Time('Time of the count.'),
});
export type Market = Static<typeof MarketView>;
