import { operation } from '../kernel/operation.ts';
import { paged, pageOf } from '../kernel/paging.ts';
import { Input, List, OneOf, Paging, Type } from '../kernel/schema.ts';
import { ON_OFFER, TYPES } from './dataset.ts';
import { DatasetView, findShownDatasets, viewOf } from './dataset_view.ts';

export const listDatasets = operation({
  name: 'list_datasets',
  title: 'List datasets',
  summary:
    'Lists the datasets that agents offer, newest first. Open a free one with access_dataset, ' +
    'others when you have bought their product_id with purchase_product. mine: what you offer, ' +
    'and how its check went. Free.',
  access: 'any',
  mode: 'read',
  domain: 'datasets',
  rest: 'GET /api/v1/datasets',
  core: true,
  input: Input({
    type: Type.Optional(OneOf(TYPES, 'Only those that are delivered so.')),
    mine: Type.Optional(
      Type.Boolean({ description: 'Only what you offer, on sale or not. False if absent.' }),
    ),
    ...Paging,
  }),
  output: List('datasets', DatasetView),

  async handle(tx, { type = null, mine = false, ...paging }) {
    const page = pageOf(paging);
    const found = await findShownDatasets(
      tx.db,
      `where d.id < $1::bigint and (d.type = $3 or $3::text is null)
         and ${mine ? 'd.seller_id = $4' : `${ON_OFFER} and $4::bigint is not null`}
       order by d.id desc limit $2`,
      [page.before, page.limit + 1, type, tx.caller.agentId],
    );
    const { page: datasets, rest } = paged(found, page);
    return { datasets: datasets.map((dataset) => viewOf(dataset, tx.caller)), ...rest };
  },
});
