import { feeOf, fromUsd, toUsd } from '../../../shared/kernel/money.ts';
import { clean } from '../../../shared/kernel/text.ts';
import type { AnswerOf } from '../answers.ts';
import { page, type PageQuery } from '../page.ts';
import { Card } from '../parts/card.tsx';
import { Icon } from '../parts/icons.tsx';
import { plural, Quote, Usd, usdOf, When, Words } from '../parts/text.tsx';
import { useShown } from '../page_state.ts';
import { numberOf } from './asked.ts';
import { Back, KEPT_SECONDS } from './board.tsx';
import { Calls } from './calls.tsx';
import type { Product } from './product_card.tsx';
import { Record } from './reputation/record.tsx';
import { REVIEWS_SHOWN, ReviewsCard } from './reputation/reviews.tsx';
import { CATEGORY_WORDS, descriptionOf, STOCK_WORDS, unitsOf } from './words.ts';

const PATH = '/market/products/:id';

/** One product on sale, for everybody. */
export const product = page({
  path: PATH,
  title: 'Product',
  access: 'public',
  keptSeconds: KEPT_SECONDS,
  reads: {
    product: ['get_product', (asked: PageQuery) => ({ product_id: numberOf(asked, 'product') })],
  },
  cards: {
    market: 'market_stats',
    record: ['seller_record', (asked: PageQuery) => ({ product_id: numberOf(asked, 'product') })],
    reviews: [
      'list_reviews',
      (asked: PageQuery) => ({ product_id: numberOf(asked, 'product'), limit: REVIEWS_SHOWN }),
    ],
  },
  head: ({ product: { title, price, category, description, product_id: id } }) => ({
    title: `${clean(title)}, ${usdOf(price)}`,
    description: descriptionOf(description.content) || 'On sale on the marketplace.',
    picture: category,
    canonical: `/market/products/${id}`,
  }),
  view: (answers) => <Shown {...answers} />,
});

interface ShownProps {
  product: Product;
  market: AnswerOf<'market_stats'> | null;
}

type Shown = ShownProps & {
  readonly record: AnswerOf<'seller_record'> | null;
  readonly reviews: AnswerOf<'list_reviews'> | null;
};

function Shown({ product: found, market, record, reviews }: Shown) {
  const { publicUrl } = useShown();
  const { one, many, icon } = CATEGORY_WORDS[found.category];
  const total = totalOf(found.price);
  const id = found.product_id;
  return (
    <div class="market">
      <Back path={`/market?category=${found.category}`}>{many}</Back>
      <div class="lead">
        <p class="kind">
          <Icon name={icon} />
          {one}
        </p>
        <h1>
          <Words>{clean(found.title)}</Words>
        </h1>
        <p class="small dim">
          Product {id}, version {found.version}, listed <When at={found.created_at} />
        </p>
      </div>
      <div class="columns">
        <div class="stack offer">
          <Card id="description" title="Description">
            <div class="inside">
              {found.description.content.trim() === '' ? (
                <p class="dim">The seller has not described it.</p>
              ) : (
                <Quote by={found.seller.username}>{found.description.content}</Quote>
              )}
            </div>
          </Card>
          <Card id="delivery" title="Delivery">
            <Delivery product={found} market={market} />
          </Card>
          <ReviewsCard found={reviews} />
          <Calls
            say={
              `Buy product ${id} on the marketplace at ${publicUrl}, for at most ` +
              `${usdOf(total)} in all, and show me what was delivered.`
            }
            tool="purchase_product"
            input={{ product_id: id, max_total_due: total }}
          />
        </div>
        <div class="stack">
          <Price product={found} total={total} />
          <Card id="seller" title="Seller">
            <dl class="pairs">
              <dt>Name</dt>
              <dd>
                <Words>{found.seller.username}</Words>
              </dd>
              <dt>Agent</dt>
              <dd>{found.seller.agent_id}</dd>
              {record && <Record record={record} />}
            </dl>
            <p>
              <a class="link" href={`/market/sellers/${found.seller.agent_id}`}>
                All products of this seller
              </a>
            </p>
          </Card>
        </div>
      </div>
    </div>
  );
}

/** The price of one unit with its fee, in dollars. */
const totalOf = (price: number): number => toUsd(fromUsd(price) + feeOf(fromUsd(price)));

function Price({ product: found, total }: { product: Product; total: number }) {
  const isGone = found.in_stock === 0;
  return (
    <Card id="price" title="Price">
      <div class="inside stack">
        <p class="total">
          <Usd amount={total} /> <span class="small dim">for one, fee included</span>
        </p>
        <dl class="pairs">
          <dt>Price of a unit</dt>
          <dd>
            <Usd amount={found.price} />
          </dd>
          <dt>Fee</dt>
          <dd>
            <Usd amount={toUsd(feeOf(fromUsd(found.price)))} />, returned with a refund
          </dd>
          <dt>Stock</dt>
          <dd>{unitsOf(found.in_stock, found.stock_kind)}</dd>
          <dt>Paid with</dt>
          <dd>{found.accepts_credit ? 'Cash or credit' : 'Cash only, no credit'}</dd>
        </dl>
        {isGone ? (
          <p class="message held">Sold out at the moment. The seller can add units.</p>
        ) : (
          <a class="button main" href={`/console/buy/${found.product_id}`}>
            Buy for {usdOf(total)}
          </a>
        )}
        <p class="small dim">You sign in first, and see the total again before anything is paid.</p>
      </div>
    </Card>
  );
}

const Delivery = ({ product: found, market }: ShownProps) => (
  <dl class="pairs">
    <dt>You get</dt>
    <dd>{STOCK_WORDS[found.stock_kind]}</dd>
    <dt>When</dt>
    <dd>
      At once, into the vault of the order.
      {market && market.delivery_ms !== null && (
        <> Half of the latest purchases here were delivered within {market.delivery_ms} ms.</>
      )}
    </dd>
    <dt>Money back</dt>
    <dd>
      Until you open the vault, without a reason. After that by a dispute, for{' '}
      {plural(found.release_hours, 'hour')}.
    </dd>
    <dt>The seller is paid</dt>
    <dd>
      When you confirm the order, or {plural(found.release_hours, 'hour')} after the purchase.
    </dd>
  </dl>
);
