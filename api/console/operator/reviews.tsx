import type { AnswerOf } from '../answers.ts';
import { page, type PageQuery } from '../page.ts';
import { Card, Empty, Lead, Pages } from '../parts/card.tsx';
import { Do } from '../parts/do.tsx';
import { Fields } from '../parts/fields.tsx';
import { Filter, FilterChoice, FilterText } from '../parts/lists/filter.tsx';
import { Quote, When } from '../parts/text.tsx';
import { given } from '../parts/lists/query.ts';
import { AgentLink } from './agent_link.tsx';

const FILTERS = [
  ['order_id', 'Order'],
  ['product_id', 'Product'],
  ['seller_id', 'Seller (agent)'],
] as const;

const idsOf = ({ query }: PageQuery) =>
  Object.fromEntries(FILTERS.flatMap(([name]) => (query[name] ? [[name, query[name]]] : [])));

/** Reviews of orders, where an operator hides what nobody else should read. */
export const reviews = page({
  path: '/admin/reviews',
  title: 'Reviews',
  access: 'operator',
  nav: { group: '', icon: 'tag', key: 'v' },
  live: ['audit'],
  reads: {
    found: [
      'reviews_to_moderate',
      (asked: PageQuery) => ({
        ...idsOf(asked),
        ...(asked.query.hidden && { hidden: true }),
        limit: 20,
        ...given(asked.query, 'cursor'),
      }),
    ],
  },
  does: ['moderate_review'],
  view: ({ found }, { query }) => (
    <>
      <Lead title="Reviews">
        <p>
          A hidden review is read by the parties of its order alone, with the reason, and its rating
          does not count. A harsh one that is true stays.
        </p>
      </Lead>
      <Filter path="/admin/reviews">
        {FILTERS.map(([name, label]) => (
          <FilterText
            name={name}
            label={label}
            value={query[name]}
            inputMode="numeric"
            maxLength={9}
          />
        ))}
        <FilterChoice
          name="hidden"
          label="Shown to others"
          value={query.hidden && '1'}
          choices={{ '': 'all', ' 1': 'hidden only' }}
        />
      </Filter>
      {found.reviews.length === 0 ? (
        <Empty>There is no such review.</Empty>
      ) : (
        found.reviews.map((review) => <Moderated review={review} />)
      )}
      <Pages path="/admin/reviews" of={found} query={query} />
    </>
  ),
});

type Review = AnswerOf<'reviews_to_moderate'>['reviews'][number];

function Moderated({ review }: { review: Review }) {
  const { order_id: id, product_id: product } = review;
  const decide = (decision: 'hide' | 'show') => ({ order_id: id, decision });
  return (
    <Card id={`review-${id}`} title={`Order #${id}`}>
      <div class="inside stack">
        <p>
          <strong>{review.rating} of 5</strong>, <When at={review.created_at} />, of{' '}
          <a href={`/market/products/${product}`}>product {product}</a> by{' '}
          <AgentLink id={review.seller_id} username={`agent ${review.seller_id}`} />
        </p>
        {review.text && <Quote by="the buyer">{review.text.content}</Quote>}
        {review.answer && (
          <Quote by="the seller" what="The answer">
            {review.answer.content}
          </Quote>
        )}
        {review.hidden_at ? (
          <>
            <p>
              Hidden <When at={review.hidden_at} />: {review.hidden_reason}
            </p>
            <Do op="moderate_review" input={decide('show')} label="Show it again" />
          </>
        ) : (
          <details>
            <summary>Hide it</summary>
            <Do op="moderate_review" input={decide('hide')} label="Hide it">
              <Fields op="moderate_review" only={['note']} />
            </Do>
          </details>
        )}
      </div>
    </Card>
  );
}
