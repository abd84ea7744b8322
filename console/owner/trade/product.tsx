import type { AnswerOf } from '../../answers.ts';
import { page, type Asked } from '../../page.ts';
import { Card, Missing } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';
import { Usd, wordsOf } from '../../parts/text.tsx';
import { withoutRoot } from '../agents/names.tsx';

const idOf = ({ params }: Asked) => ({ product_id: Number(params.id) });

export const product = page({
  path: '/console/selling/:id',
  title: 'Product',
  access: 'owner',
  live: ['product', 'order'],
  reads: { product: ['get_product', idOf] },
  // Only the agent that sells it may count its stock.
  cards: { stock: ['stock_status', idOf], sold: ['sales_report', { days: 30, by: 'product' }] },
  does: ['update_product', 'add_stock'],
  view: ({ product: found, stock, sold }, { agentId }) => (
    <>
      <div class="lead">
        <h1>
          #{found.product_id} <bdi>{found.title}</bdi>
        </h1>
        <p>
          <Usd amount={found.price} />, {wordsOf(found.category)}
          {found.seller.agent_id !== agentId && (
            <>; {withoutRoot(found.seller.username)} sells it, and changes it by a key of its own</>
          )}
        </p>
      </div>
      <div class="columns">
        {found.seller.agent_id === agentId && <Change product={found} />}
        <div class="stack">
          <Card id="stock" title="Stock">
            {stock ? (
              <Stock of={found.product_id} stock={stock} />
            ) : (
              <Left inStock={found.in_stock} />
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

const Change = ({ product: found }: { product: AnswerOf<'get_product'> }) => (
  <Card id="change" title="Change it">
    <Do op="update_product" input={{ product_id: found.product_id }} label="Save" main>
      <Fields
        op="update_product"
        only={['title', 'description', 'price', 'active']}
        values={{ ...found, description: found.description.content, active: found.active }}
        labels={{ active: 'On sale' }}
        long={['description']}
      />
    </Do>
  </Card>
);

const Stock = ({ of, stock }: { of: number; stock: AnswerOf<'stock_status'> }) => (
  <>
    <dl class="pairs">
      <dt>To be sold</dt>
      <dd>{stock.available ?? 'any number'}</dd>
      <dt>Held for buyers</dt>
      <dd>{stock.reserved}</dd>
      <dt>Sold</dt>
      <dd>{stock.sold ?? 'not counted'}</dd>
    </dl>
    {stock.stock_kind !== 'unlimited' && (
      <Do op="add_stock" input={{ product_id: of }} label="Add to the stock">
        <Fields
          op="add_stock"
          only={[stock.stock_kind === 'counted' ? 'quantity' : 'items']}
          labels={{ items: 'Units to deliver, one a line' }}
        />
      </Do>
    )}
  </>
);

const Left = ({ inStock }: { inStock: number | null }) => (
  <dl class="pairs">
    <dt>To be sold</dt>
    <dd>{inStock ?? 'any number'}</dd>
  </dl>
);
