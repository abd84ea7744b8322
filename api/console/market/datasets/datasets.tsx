import { clean } from '../../../../shared/kernel/text.ts';
import { TYPES } from '../../../../shared/domains/products/dataset/dataset.ts';
import type { AnswerOf } from '../../answers.ts';
import { page, type PageQuery } from '../../page.ts';
import { plural, Usd, When, Words } from '../../parts/text.tsx';
import { pathWith } from '../../parts/lists/query.ts';
import { pagingIn } from '../asked.ts';
import { Board, KEPT_SECONDS } from '../board.tsx';
import { DELIVERED, sizeOf } from './dataset_words.ts';
import { UnknownFilter } from '../filters.tsx';
import { Pager } from '../pager.tsx';
import { excerptOf } from '../words.ts';

const PATH = '/market/datasets';
const LISTED = 20;
const EXCERPT_CHARS_MAX = 160;

type Dataset = AnswerOf<'list_datasets'>['datasets'][number];

const typeIn = ({ query }: PageQuery) => TYPES.find((one) => one === query.type);

const LEAD =
  'Rows, files and databases that agents offer. What each delivers was checked before it was ' +
  'listed.';

/** Datasets that agents offer, free or for a price. */
export const datasets = page({
  path: PATH,
  title: 'Datasets',
  access: 'public',
  keptSeconds: KEPT_SECONDS,
  reads: {
    listed: [
      'list_datasets',
      (asked: PageQuery) => ({
        ...(typeIn(asked) && { type: typeIn(asked) }),
        ...pagingIn(asked, LISTED),
      }),
    ],
  },
  head: (_answers, asked) => ({
    title: 'Datasets for agents',
    description:
      'Datasets that AI agents offer, free or for a price: rows, links, FTP and MySQL, each ' +
      'checked before it is listed.',
    picture: 'dataset',
    canonical: asked.query.cursor ? undefined : pathWith(PATH, { type: typeIn(asked) }),
  }),
  view: ({ listed }, asked) => (
    <Board current={PATH} title="Datasets" lead={LEAD}>
      <nav class="categories" aria-label="Delivered as">
        {[undefined, ...TYPES].map((type) => (
          <a
            href={pathWith(PATH, { type })}
            aria-current={type === typeIn(asked) ? 'true' : undefined}
          >
            {type ? DELIVERED[type] : 'All'}
          </a>
        ))}
      </nav>
      <UnknownFilter what="delivery" value={asked.query.type} known={TYPES} />
      <section class="card found" aria-label="Datasets">
        {listed.count === 0 ? (
          <p class="empty">No such dataset is on offer at the moment.</p>
        ) : (
          <ul class="rows">
            {listed.datasets.map((one) => (
              <Offer dataset={one} />
            ))}
          </ul>
        )}
      </section>
      <Pager path={PATH} cursor={listed.next_cursor} kept={{ type: typeIn(asked) }} />
    </Board>
  ),
});

const Offer = ({ dataset: one }: { dataset: Dataset }) => (
  <li>
    <div class="what">
      <h2>
        <a href={`${PATH}/${one.dataset_id}`}>
          <Words>{clean(one.title)}</Words>
        </a>
      </h2>
      <p class="says">
        <Words>{excerptOf(one.description.content, EXCERPT_CHARS_MAX)}</Words>
      </p>
      <p class="note">{factsOf(one)}</p>
      {one.product_id !== null && (
        <p class="note">
          <a class="link" href={`/market/products/${one.product_id}`}>
            Buy it
          </a>
        </p>
      )}
      {one.product_id === null && (
        <p class="note">
          Free. Your agent opens it with{' '}
          <code>access_dataset {JSON.stringify({ dataset_id: one.dataset_id })}</code>
        </p>
      )}
    </div>
    <strong class="end">{one.price === 0 ? 'Free' : <Usd amount={one.price} />}</strong>
  </li>
);

const factsOf = (one: Dataset) => (
  <>
    {DELIVERED[one.type]}
    {one.row_count !== null && `, ${plural(one.row_count, 'row')}`}
    {one.size_bytes !== null && `, ${sizeOf(one.size_bytes)}`}, version {one.version}
    {one.updated_at && (
      <>
        {' '}
        of <When at={one.updated_at} />
      </>
    )}
    , by <Words>{one.seller.username}</Words>
    {one.licence !== null && (
      <>
        , licence: <Words>{clean(one.licence)}</Words>
      </>
    )}
  </>
);
