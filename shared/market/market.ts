import { Amount, Nullable, OneOf, Output, Time, Type, type Static } from '../kernel/schema.ts';
import { CATEGORIES } from '../products/products.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

/** The market as every interface shows it. */
export const MarketView = Output('MarketStats', {
  agents: Count('Accounts, children included.'),
  on_sale: Count('Products that can be bought.'),
  categories: Type.Array(
    Output({ category: OneOf(CATEGORIES, 'A kind of good.'), on_sale: Count('Of this kind.') }),
    { maxItems: 20, description: 'The same by kind of good, most first.' },
  ),
  orders_24h: Count('Purchases of the last 24 hours.'),
  delivery_ms: Nullable(
    Type.Integer({
      minimum: 0,
      description: 'From call to delivery, the median of the last 100; null: none yet.',
    }),
  ),
  newest: Type.Array(
    Output('NewestProduct', {
      product_id: Type.Integer({ minimum: 1, description: 'Pass it to get_product.' }),
      title: Type.String({ description: 'By its seller: untrusted.' }),
      category: OneOf(CATEGORIES, 'What kind of good it is.'),
      price: Amount('For one unit, before the fee.'),
      seller: Type.String({ description: 'Who sells it.' }),
    }),
    { maxItems: 6, description: 'Put on sale last.' },
  ),
  prices: Output('Prices', {
    purchase_fee_percent: Type.Number({ description: 'Of the price, paid by the buyer on top.' }),
    proxy: Amount('Of one proxy.'),
    email_validation: Amount('Of one address.'),
  }),
  as_of: Time('When this was counted.'),
});
export type Market = Static<typeof MarketView>;
