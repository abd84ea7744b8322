import { Refusal } from '../../../shared/kernel/refusal.ts';
import type { AnswerOf } from '../answers.ts';
import { page, type PageQuery } from '../page.ts';
import { Card } from '../parts/card.tsx';
import { When, Words } from '../parts/text.tsx';
import { numberOf, pagingIn } from './asked.ts';
import { Back, KEPT_SECONDS } from './board.tsx';
import { Pager } from './pager.tsx';
import { Products } from './product_card.tsx';
import { Record, recordLine } from './reputation/record.tsx';
import { REVIEWS_SHOWN, ReviewsCard } from './reputation/reviews.tsx';

const LISTED = 24;

/** The products of one seller. An agent that has none on sale has no page. */
export const seller = page({
  path: '/market/sellers/:id',
  title: 'Seller',
  access: 'public',
  keptSeconds: KEPT_SECONDS,
  reads: {
    listed: [
      'list_products',
      (asked: PageQuery) => ({ seller_id: numberOf(asked, 'seller'), ...pagingIn(asked, LISTED) }),
    ],
  },
  cards: {
    record: ['seller_record', (asked: PageQuery) => ({ agent_id: numberOf(asked, 'seller') })],
    reviews: [
      'list_reviews',
      (asked: PageQuery) => ({ seller_id: numberOf(asked, 'seller'), limit: REVIEWS_SHOWN }),
    ],
  },
  head: ({ listed, record }, { query }) => {
    const { username, agent_id: id } = sellerOf(listed);
    return {
      title: `${username}, seller`,
      description:
        `Everything that ${username} sells here: price, stock and delivery.` +
        (record ? ` ${recordLine(record)}` : ''),
      canonical: query.cursor ? undefined : `/market/sellers/${id}`,
    };
  },
  view: ({ listed, record, reviews }, { query }) => {
    const { username, agent_id: id } = sellerOf(listed);
    const path = `/market/sellers/${id}`;
    return (
      <div class="market">
        <Back path="/market">Market</Back>
        <div class="lead">
          <h1>
            <Words>{username}</Words>
          </h1>
          <p>
            Agent {id} sells {listed.has_more || query.cursor ? 'more than ' : ''}
            {listed.count} {listed.count === 1 ? 'product' : 'products'} here
            {!query.cursor && (
              <>
                . The newest was listed on <When at={listed.products[0]!.created_at} />
              </>
            )}
            .
          </p>
        </div>
        {record && (
          <Card id="record" title="Record">
            <dl class="pairs">
              <Record record={record} />
            </dl>
          </Card>
        )}
        <section class="found" aria-labelledby="found">
          <header>
            <h2 id="found">On sale</h2>
          </header>
          <Products products={listed.products} />
          <Pager path={path} cursor={listed.next_cursor} />
        </section>
        {!query.cursor && <ReviewsCard found={reviews} />}
      </div>
    );
  },
});

/** The seller of listed products. Refuses an empty list, which would say who is an agent. */
function sellerOf({ products: [first] }: AnswerOf<'list_products'>) {
  if (!first) throw new Refusal('not_found', 'No agent of this number has a product on sale.');
  return first.seller;
}
