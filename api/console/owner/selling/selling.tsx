import type { AnswerOf } from '../../answers.ts';
import { CATEGORY_WORDS } from '../../market/words.ts';
import { page, type PageQuery } from '../../page.ts';
import { Card, Empty, Lead, Missing, Pages, Table } from '../../parts/card.tsx';
import { Badge, plural, Usd, When, Words } from '../../parts/text.tsx';
import { given, pathWith } from '../../parts/lists/query.ts';
import { withoutRoot } from '../agents/names.tsx';
import { BY_TIME, byLargest, sortOf } from '../trade/orders.tsx';
import { ListingState } from './listing_state.tsx';
import { PRODUCT_KINDS } from './product_kinds.ts';

const PATH = '/console/selling';

export const selling = page({
  path: PATH,
  title: 'Selling',
  access: 'owner',
  nav: { group: 'Agents and trade', icon: 'tag', key: 's' },
  live: ['product', 'order', 'dataset'],
  reads: {
    products: [
      'my_products',
      ({ query }: PageQuery) => ({
        below: true,
        sort: sortOf(query),
        ...given(query, 'status', 'cursor'),
      }),
    ],
  },
  cards: { datasets: ['list_datasets', { mine: true, limit: 20 }] },
  view: ({ products: found, datasets }, { query }) => (
    <>
      <Lead title="Selling">
        <p>
          What is sold, and what you earn by it: <a href="/console/sales">Sales</a>.
        </p>
      </Lead>
      <Card id="new" title="List a product">
        <ul class="lines">
          {PRODUCT_KINDS.map(({ name, title, says }) => (
            <li>
              <a href={`${PATH}/new?kind=${name}`}>{title}</a>: {says}
            </li>
          ))}
        </ul>
      </Card>
      <Card id="products" title="Your products" aside={<States query={query} />}>
        {found.count > 0 ? (
          <Products products={found.products} query={query} />
        ) : query.status ? (
          <Empty>None of your products has this state.</Empty>
        ) : (
          <Empty>You sell nothing yet. Choose above what you want to list.</Empty>
        )}
        <Pages path={PATH} of={found} query={query} what="product" />
      </Card>
      {(datasets === null || datasets.count > 0) && (
        <Card id="datasets" title="Your datasets">
          {datasets ? <Datasets datasets={datasets.datasets} /> : <Missing />}
        </Card>
      )}
    </>
  ),
});

const SHOWN = {
  approved: 'Approved',
  pending_review: 'In review',
  rejected: 'Rejected',
  suspended: 'Suspended',
  archived: 'Archived',
} as const;

/** Links to the products of each status. */
const States = ({ query: { status = '', sort } }: Pick<PageQuery, 'query'>) => (
  <span class="tabs">
    {Object.entries({ '': 'All', ...SHOWN }).map(([one, label]) => (
      <a
        href={pathWith(PATH, { status: one, sort })}
        aria-current={one === status ? 'true' : undefined}
      >
        {label}
      </a>
    ))}
  </span>
);

interface ProductsProps {
  products: AnswerOf<'my_products'>['products'];
  query: PageQuery['query'];
}

const Products = ({ products, query }: ProductsProps) => (
  <Table
    label="Products"
    sorted={{ path: PATH, query, by: sortOf(query) }}
    rows={products}
    columns={[
      {
        head: 'Product',
        sort: [['title', 'ascending'], BY_TIME[0]],
        cell: ({ product_id, title }) => (
          <a href={`${PATH}/${product_id}`}>
            #{product_id} <Words>{title}</Words>
          </a>
        ),
      },
      {
        head: 'State',
        cell: (listed) => <ListingState product={listed} />,
      },
      { head: 'Seller', wide: true, cell: ({ seller }) => withoutRoot(seller.username) },
      { head: 'Category', wide: true, cell: ({ category }) => CATEGORY_WORDS[category].one },
      {
        head: 'In stock',
        wide: true,
        right: true,
        cell: ({ in_stock: left }) => left ?? 'any number',
      },
      {
        head: 'Listed',
        wide: true,
        sort: BY_TIME,
        cell: ({ created_at: at }) => <When at={at} />,
      },
      {
        head: 'Price',
        right: true,
        sort: byLargest('price'),
        cell: ({ price }) => <Usd amount={price} />,
      },
    ]}
  />
);

const Datasets = ({ datasets }: { datasets: AnswerOf<'list_datasets'>['datasets'] }) => (
  <Table
    label="Datasets"
    rows={datasets}
    columns={[
      {
        head: 'Dataset',
        cell: ({ dataset_id, title, product_id }) => {
          const words = (
            <>
              #{dataset_id} <Words>{title}</Words>
            </>
          );
          return product_id === null ? words : <a href={`${PATH}/${product_id}`}>{words}</a>;
        },
      },
      {
        head: 'State',
        cell: ({ status, newest }) => (
          <>
            <Badge state={status} kind={DATASET_STATES[status]} /> {newest?.fault}
          </>
        ),
      },
      {
        head: 'Rows',
        wide: true,
        right: true,
        cell: ({ row_count: count }) => (count === null ? 'not known' : plural(count, 'row')),
      },
      {
        head: 'Price',
        right: true,
        cell: ({ price }) => (price === 0 ? 'free' : <Usd amount={price} />),
      },
    ]}
  />
);

const DATASET_STATES = { active: 'yours', checking: 'held', failed: 'owed' } as const;
