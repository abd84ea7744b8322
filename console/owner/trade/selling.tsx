import { page, type Asked } from '../../page.ts';
import { Card, Empty, Older, Table } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';
import { Badge, Usd, wordsOf } from '../../parts/text.tsx';
import { withoutRoot } from '../agents/names.tsx';

const PATH = '/console/selling';

export const selling = page({
  path: PATH,
  title: 'Selling',
  access: 'owner',
  nav: { group: 'Agents and trade', icon: 'tag', key: 's' },
  live: ['product', 'order'],
  reads: {
    products: [
      'my_products',
      ({ query }: Asked) => ({ below: true, ...(query.cursor && { cursor: query.cursor }) }),
    ],
  },
  does: ['create_product'],
  view: ({ products: found }, { query }) => (
    <>
      <div class="lead">
        <h1>Selling</h1>
        <p>
          What you and your agents list is looked at first, and is on sale when it was approved.
        </p>
      </div>
      <Card id="products" title="Your products">
        {found.count === 0 ? (
          <Empty>You sell nothing yet. List a product below.</Empty>
        ) : (
          <Table
            label="Products"
            rows={found.products}
            columns={[
              {
                head: 'Product',
                cell: ({ product_id, title }) => (
                  <a href={`${PATH}/${product_id}`}>
                    #{product_id} <bdi>{title}</bdi>
                  </a>
                ),
              },
              {
                head: 'State',
                cell: ({ status, active }) => (
                  <Badge
                    state={active ? status : 'paused'}
                    kind={active ? (STATES[status] ?? '') : ''}
                  />
                ),
              },
              { head: 'Seller', wide: true, cell: ({ seller }) => withoutRoot(seller.username) },
              { head: 'Category', wide: true, cell: ({ category }) => wordsOf(category) },
              { head: 'In stock', right: true, cell: ({ in_stock: left }) => left ?? 'any number' },
              { head: 'Price', right: true, cell: ({ price }) => <Usd amount={price} /> },
            ]}
          />
        )}
        <Older path={PATH} cursor={found.next_cursor} query={query} />
      </Card>
      <Card id="new" title="List a product">
        <Do op="create_product" label="List this product" main next={`${PATH}/:product_id`}>
          <Fields
            op="create_product"
            only={['title', 'description', 'category', 'price', 'stock_kind', 'items', 'content']}
            labels={{ items: 'Units to deliver, one a line', content: 'What each buyer gets' }}
            long={['description', 'content']}
            values={{ stock_kind: 'serial_pool' }}
          />
        </Do>
      </Card>
    </>
  ),
});

export const STATES: Readonly<Record<string, string>> = {
  approved: 'yours',
  pending_review: 'held',
  rejected: 'owed',
  suspended: 'owed',
};
