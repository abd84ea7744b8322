import { page, type Asked } from '../../page.ts';
import { Card, Missing } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';
import { Usd, wordsOf } from '../../parts/text.tsx';

const idOf = ({ params }: Asked) => ({ product_id: Number(params.id) });

export const product = page({
  path: '/console/selling/:id',
  title: 'Product',
  access: 'owner',
  live: ['product', 'order'],
  reads: { product: ['get_product', idOf], stock: ['stock_status', idOf] },
  cards: { sold: ['sales_report', { days: 30, by: 'product' }] },
  does: ['update_product', 'add_stock'],
  view: ({ product: found, stock, sold }) => (
    <>
      <div class="lead">
        <h1>
          #{found.product_id} <bdi>{found.title}</bdi>
        </h1>
        <p>
          <Usd amount={found.price} />, {wordsOf(found.category)}
        </p>
      </div>
      <div class="columns">
        <Card id="change" title="Change it">
          <Do op="update_product" input={{ product_id: found.product_id }} label="Save" main>
            <Fields
              op="update_product"
              only={['title', 'description', 'price', 'active']}
              values={{ ...found, description: found.description.content, active: true }}
              labels={{ active: 'On sale' }}
              long={['description']}
            />
          </Do>
        </Card>
        <div class="stack">
          <Card id="stock" title="Stock">
            <dl class="pairs">
              <dt>To be sold</dt>
              <dd>{stock.available ?? 'any number'}</dd>
              <dt>Held for buyers</dt>
              <dd>{stock.reserved}</dd>
              <dt>Sold</dt>
              <dd>{stock.sold ?? 'not counted'}</dd>
            </dl>
            {stock.stock_kind !== 'unlimited' && (
              <Do op="add_stock" input={{ product_id: found.product_id }} label="Add to the stock">
                <Fields
                  op="add_stock"
                  only={[stock.stock_kind === 'counted' ? 'quantity' : 'items']}
                  labels={{ items: 'Units to deliver, one a line' }}
                />
              </Do>
            )}
          </Card>
          <Card id="sold" title="Earned in 30 days">
            {sold ? (
              <p>
                <Usd amount={sold.parts.find(({ id }) => id === found.product_id)?.amount ?? 0} />
              </p>
            ) : (
              <Missing />
            )}
          </Card>
        </div>
      </div>
    </>
  ),
});
