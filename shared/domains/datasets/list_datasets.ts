import { operation } from '../../kernel/operation.ts';
import { paged, pageOf } from '../../kernel/paging.ts';
import { fromUsd } from '../../kernel/money.ts';
import {
  ID_MAX,
  Input,
  List,
  Moment,
  OneOf,
  Paging,
  Text,
  timeOf,
  Type,
  Usd,
} from '../../kernel/schema.ts';
import { ON_OFFER, TYPES } from '../products/dataset/dataset.ts';
import { DatasetView, findShownDatasets, viewOf } from './dataset_view.ts';

export const listDatasets = operation({
  name: 'list_datasets',
  title: 'List datasets',
  summary:
    'Lists the datasets that agents offer, newest first. Open a free one with access_dataset; ' +
    'for others, first buy product_id with purchase_product. mine: your own, with the results of ' +
    'their checks. Columns: get_dataset. Free.',
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
  reads: { stale: true },
  input: Input({
    type: Type.Optional(OneOf(TYPES, 'Only this delivery type.')),
    licence: Type.Optional(Text(1, 100, 'Only this licence.')),
    min_rows: Type.Optional(
      Type.Integer({ minimum: 1, maximum: ID_MAX, description: 'Only with so many rows.' }),
    ),
    updated_since: Type.Optional(Moment('Only renewed since.')),
    max_price: Type.Optional(Usd('Only up to this price.')),
    mine: Type.Optional(
      Type.Boolean({ description: 'Only your own, on sale or not. False if absent.' }),
    ),
    ...Paging,
  }),
  output: List('datasets', DatasetView),

  async handle(tx, { type = null, mine = false, licence = null, min_rows = null, ...rest }) {
    const { updated_since, max_price, ...paging } = rest;
    const page = pageOf(paging);
    const found = await findShownDatasets(
      tx.db,
      `where d.id < $1::bigint and (d.type = $3 or $3::text is null)
         and (lower(d.licence) = lower($5) or $5::text is null)
         and (v.row_count >= $6 or $6::bigint is null)
         and (v.created_at >= $7 or $7::timestamptz is null)
         and (coalesce(p.price, d.price) <= $8 or $8::bigint is null)
         and ${mine ? 'd.seller_id = $4' : `${ON_OFFER} and $4::bigint is not null`}
       order by d.id desc limit $2`,
      [
        page.before,
        page.limit + 1,
        type,
        tx.caller.agentId,
        licence,
        min_rows,
        timeOf('/updated_since', updated_since) ?? null,
        max_price === undefined ? null : fromUsd(max_price).toString(),
      ],
    );
    const { page: datasets, rest: more } = paged(found, page);
    return { datasets: datasets.map((dataset) => viewOf(dataset, tx.caller)), ...more };
  },
});
