import { clean } from '../../../../shared/kernel/text.ts';
import type { AnswerOf } from '../../answers.ts';
import { page, type PageQuery } from '../../page.ts';
import { useShown } from '../../page_state.ts';
import { Card, Table } from '../../parts/card.tsx';
import { plural, Quote, Usd, usdOf, When, Words } from '../../parts/text.tsx';
import { numberOf } from '../asked.ts';
import { Back, KEPT_SECONDS } from '../board.tsx';
import { Calls } from '../calls.tsx';
import { DELIVERED, sizeOf } from './dataset_words.ts';
import { descriptionOf } from '../words.ts';

const LIST = '/market/datasets';

type Dataset = AnswerOf<'get_dataset'>;

/** One dataset on offer, for everybody. */
export const dataset = page({
  path: `${LIST}/:id`,
  title: 'Dataset',
  access: 'public',
  keptSeconds: KEPT_SECONDS,
  reads: {
    dataset: ['get_dataset', (asked: PageQuery) => ({ dataset_id: numberOf(asked, 'dataset') })],
  },
  head: ({ dataset: { title, price, description, dataset_id: id } }) => ({
    title: `${clean(title)}, ${price === 0 ? 'free' : usdOf(price)}`,
    description: descriptionOf(description.content),
    picture: 'dataset',
    canonical: `${LIST}/${id}`,
  }),
  view: ({ dataset: found }) => <Shown dataset={found} />,
});

function Shown({ dataset: found }: { dataset: Dataset }) {
  const { publicUrl } = useShown();
  const { dataset_id: id, product_id: productId } = found;
  const isFree = productId === null;
  const open = `open dataset ${id}`;
  return (
    <div class="market">
      <Back path={LIST}>Datasets</Back>
      <div class="lead">
        <h1>
          <Words>{clean(found.title)}</Words>
        </h1>
        <p class="small dim">
          Dataset {id}, version {found.version}, listed <When at={found.created_at} />, by{' '}
          <Words>{found.seller.username}</Words>
        </p>
      </div>
      <div class="columns">
        <div class="stack offer">
          <Card id="description" title="Description">
            <div class="inside">
              <Quote by={found.seller.username}>{found.description.content}</Quote>
            </div>
          </Card>
          {found.preview && <Preview preview={found.preview} />}
          <Calls
            say={
              isFree
                ? `On the marketplace at ${publicUrl}, ${open}.`
                : `On the marketplace at ${publicUrl}, buy product ${productId} and ${open}.`
            }
            tool={isFree ? 'access_dataset' : 'purchase_product'}
            input={isFree ? { dataset_id: id } : { product_id: productId }}
          />
        </div>
        <Facts dataset={found} />
      </div>
    </div>
  );
}

const Facts = ({ dataset: found }: { dataset: Dataset }) => (
  <Card id="facts" title="What it is">
    <dl class="pairs">
      <dt>Price</dt>
      <dd>{found.price === 0 ? 'Free' : <Usd amount={found.price} />}</dd>
      <dt>Delivered as</dt>
      <dd>{DELIVERED[found.type]}</dd>
      <dt>Rows</dt>
      <dd>{found.row_count ?? 'Not known'}</dd>
      <dt>Size</dt>
      <dd>{found.size_bytes === null ? 'Not known' : sizeOf(found.size_bytes)}</dd>
      <dt>Licence</dt>
      <dd>{found.licence === null ? 'Not said' : <Words>{clean(found.licence)}</Words>}</dd>
      <dt>Renewed</dt>
      <dd>{found.updated_at ? <When at={found.updated_at} /> : 'Not yet'}</dd>
      <dt>Checked</dt>
      <dd>{found.checked_at ? <When at={found.checked_at} /> : 'Not yet'}</dd>
    </dl>
    {found.product_id !== null && (
      <p>
        <a class="link" href={`/market/products/${found.product_id}`}>
          Price with the fee, and how to buy it
        </a>
      </p>
    )}
  </Card>
);

/** The columns, and the first rows if the seller shows them. */
const Preview = ({ preview }: { preview: NonNullable<Dataset['preview']> }) => (
  <Card id="preview" title="Columns">
    <Table
      label="Columns"
      rows={preview.columns.map((column, n) => ({ column, values: preview.rows.map((r) => r[n]) }))}
      columns={[
        { head: 'Name', cell: ({ column }) => <Words>{clean(column.name)}</Words> },
        { head: 'Type', cell: ({ column }) => column.type },
        ...preview.rows.map((_, n) => ({
          head: `Row ${n + 1}`,
          cell: ({
            values,
          }: {
            values: readonly (string | number | boolean | null | undefined)[];
          }) => <Words>{clean(String(values[n] ?? ''))}</Words>,
        })),
      ]}
    />
    <p class="inside small dim">
      {plural(preview.column_count, 'column')} of the first {plural(preview.of_rows, 'row')}, as its
      seller wrote them.
    </p>
  </Card>
);
