import { feeOf, fromUsd, toUsd } from '../../../../shared/kernel/money.ts';
import type { AnswerOf } from '../../answers.ts';
import { CATEGORY_WORDS } from '../../market/words.ts';
import { page, type PageQuery } from '../../page.ts';
import { Card, Missing } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';
import { Usd, usdOf, Words } from '../../parts/text.tsx';
import { ownName, TREE, withoutRoot } from '../agents/names.tsx';
import { lacksOf, ListingState, nextOf } from './listing_state.tsx';

type Product = AnswerOf<'get_product'>;

const idOf = ({ params }: PageQuery) => ({ product_id: Number(params.id) });

export const product = page({
  path: '/console/selling/:id',
  title: 'Product',
  access: 'owner',
  live: ['product', 'order'],
  reads: { product: ['get_product', idOf] },
  // Only the agent that sells it may read its stock.
  cards: {
    stock: ['stock_status', idOf],
    sold: ['sales_report', { days: 30, by: 'product' }],
    names: TREE,
  },
  does: ['update_product', 'add_stock'],
  view: ({ product: found, stock, sold, names }, { agentId }) => {
    const isOwn = found.seller.agent_id === agentId;
    if (names && ownName({ agentId, names }, found.seller.agent_id) === undefined)
      return <OfAnother product={found} />;
    return (
      <>
        <div class="lead">
          <h1>
            #{found.product_id} <Words>{found.title}</Words>
          </h1>
          <p>
            <ListingState product={found} /> {CATEGORY_WORDS[found.category].one}
            {!isOwn && (
              <>
                ; {withoutRoot(found.seller.username)} sells it, and changes it by a key of its own
              </>
            )}
            {found.status === 'approved' && found.active && (
              <>
                {' '}
                · <a href={`/market/products/${found.product_id}`}>As buyers see it</a>
              </>
            )}
          </p>
        </div>
        <div class="columns">
          <div class="stack">
            <Next product={found} />
            {isOwn && found.status !== 'archived' && <Change product={found} />}
          </div>
          <div class="stack">
            <Card id="stock" title="Stock">
              {stock ? <Stock product={found} stock={stock} /> : <Left left={found.in_stock} />}
            </Card>
            <Card id="money" title="Money">
              <Money product={found} sold={sold} />
            </Card>
          </div>
        </div>
      </>
    );
  },
});

/** The way to the page in the market of a product that another party sells. */
const OfAnother = ({ product: { product_id: id, title, seller } }: { product: Product }) => (
  <div class="lead">
    <h1>
      #{id} <Words>{title}</Words>
    </h1>
    <p>
      <Words>{seller.username}</Words>, another party, sells it.{' '}
      <a href={`/market/products/${id}`}>See it in the market</a>
    </p>
  </div>
);

function Next({ product: found }: { product: Product }) {
  const lacks = found.status === 'archived' ? [] : lacksOf(found);
  return (
    <Card id="next" title="What happens next">
      <div class="inside stack">
        <p>{nextOf(found)}</p>
        {found.review_note && (
          <p>
            The operator wrote: <Words>{found.review_note}</Words>
          </p>
        )}
        {lacks.length > 0 && (
          <>
            <p>
              <strong>It still lacks</strong>
            </p>
            <ul class="lines">
              {lacks.map((one) => (
                <li>{one}</li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Card>
  );
}

function Change({ product: found }: { product: Product }) {
  const { product_id, stock_kind: kind, category } = found;
  // Units have a form of their own, and a dataset is renewed by API.
  const hasContent = kind !== 'serial_pool' && category !== 'dataset';
  return (
    <Card id="change" title="Change it">
      <Do op="update_product" input={{ product_id }} label="Save" main>
        <Fields
          op="update_product"
          only={[
            'title',
            'description',
            'price',
            ...(hasContent ? ['content'] : []),
            'release_hours',
            'accepts_credit',
            'active',
          ]}
          values={{ ...found, description: found.description.content }}
          notes={AFTER_REVIEW}
        />
      </Do>
      <div class="inside">
        <Do
          op="update_product"
          input={{ product_id, status: 'archived' }}
          label="Archive it"
          confirm={{
            title: 'Archive this product?',
            lines: [
              'It is taken off sale for good, and cannot be listed again.',
              'Orders that are paid go on as usual.',
            ],
          }}
        />
      </div>
    </Card>
  );
}

const AFTER_REVIEW = {
  title: 'A new title may be reviewed before the product is on sale again.',
  description: 'A new description may be reviewed before the product is on sale again.',
};

interface StockProps {
  product: Product;
  stock: AnswerOf<'stock_status'>;
}

const Stock = ({ product: found, stock }: StockProps) => (
  <>
    <dl class="pairs">
      <dt>To be sold</dt>
      <dd>{stock.available ?? 'any number'}</dd>
      <dt>Held for buyers</dt>
      <dd>{stock.reserved}</dd>
      <dt>Sold</dt>
      <dd>{stock.sold ?? 'not counted'}</dd>
    </dl>
    {stock.stock_kind !== 'unlimited' && found.status !== 'archived' && (
      <Do op="add_stock" input={{ product_id: found.product_id }} label="Add to the stock">
        <Fields op="add_stock" only={[stock.stock_kind === 'counted' ? 'quantity' : 'items']} />
      </Do>
    )}
  </>
);

const Left = ({ left }: { left: number | null }) => (
  <dl class="pairs">
    <dt>To be sold</dt>
    <dd>{left ?? 'any number'}</dd>
  </dl>
);

interface MoneyProps {
  product: Product;
  sold: AnswerOf<'sales_report'> | null;
}

function Money({ product: found, sold }: MoneyProps) {
  const fee = toUsd(feeOf(fromUsd(found.price)));
  return (
    <>
      <dl class="pairs">
        <dt>You get</dt>
        <dd>
          <Usd amount={found.price} />
        </dd>
        <dt>The buyer pays</dt>
        <dd>
          {usdOf(toUsd(fromUsd(found.price) + fromUsd(fee)))}, with a fee of {usdOf(fee)}
        </dd>
        <dt>Paid with</dt>
        <dd>{found.accepts_credit ? 'cash or credit' : 'cash only'}</dd>
        <dt>Earned in 30 days</dt>
        <dd>
          {sold && (
            <Usd amount={sold.parts.find(({ id }) => id === found.product_id)?.amount ?? 0} />
          )}
        </dd>
      </dl>
      {!sold && <Missing />}
      <p>
        <a class="link" href="/console/sales">
          Sales
        </a>
      </p>
    </>
  );
}
