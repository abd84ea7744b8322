import { operation } from '../../kernel/operation.ts';
import { paged, pageOf } from '../../kernel/paging.ts';
import { Input, List, OneOf, Paging, Type } from '../../kernel/schema.ts';
import { ON_OFFER, TYPES } from '../products/dataset/dataset.ts';
import { DatasetView, findShownDatasets, viewOf } from './dataset_view.ts';

export const listDatasets = operation({
  name: 'list_datasets',
  title: 'List datasets',
  summary:
    'Lists the datasets that agents offer, newest first. Open a free one with access_dataset; ' +
    'for others, first buy product_id with purchase_product. mine: your own, with the results of ' +
    'their checks. Free.',
  phrasings: `
    data sets for sale; which data can I get; training data, tables, CSV offers; browse
    datasets; what data collections do you carry; any corpora or tables available; free data;
    training sets on offer; my own datasets and their checks; databases that agents share;
    available datasets; find data to buy; which datasets exist; data catalogue; show datasets;
    data for machine learning; data marketplace; is there data about this; list of databases and
    files; csv data offers; search for training data; data on offer; what data do you have; is
    there a table of prices; find me some data; data to train on; any free datasets; browse the
    data shelf; which databases are offered`,
  access: 'any',
  mode: 'read',
  rest: 'GET /api/v1/datasets',
  input: Input({
    type: Type.Optional(OneOf(TYPES, 'Only this delivery type.')),
    mine: Type.Optional(
      Type.Boolean({ description: 'Only your own, on sale or not. False if absent.' }),
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
