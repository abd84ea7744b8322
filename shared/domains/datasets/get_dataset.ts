import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input } from '../../kernel/schema.ts';
import { column, nullable, rows } from '../../platform/rows.ts';
import { ON_OFFER } from '../products/dataset/dataset.ts';
import { DatasetView, findShownDatasets, viewOf } from './dataset_view.ts';
import type { Preview } from './files/preview.ts';

export const getDataset = operation({
  name: 'get_dataset',
  title: 'Look at a dataset',
  summary:
    'Shows one dataset on offer, or of yours: licence, size, freshness, columns with types, and ' +
    'first rows if its seller shows them. Free.',
  phrasings: `
    columns of a dataset before I buy it; preview of a dataset; which fields does dataset 12
    have; licence of a dataset; sample rows of a dataset; how fresh is dataset 7; schema of the
    data on offer; how many rows does the dataset have; may I use this dataset commercially`,
  access: 'any',
  mode: 'read',
  rest: 'GET /api/v1/datasets/:dataset_id',
  refusals: ['not_found'],
  input: Input({ dataset_id: Id('The dataset. From list_datasets.') }),
  output: DatasetView,

  async handle(tx, { dataset_id }) {
    const [found] = await findShownDatasets(
      tx.db,
      `where d.id = $1 and (d.root_id = $2 or ${ON_OFFER})`,
      [dataset_id, tx.caller.rootId],
    );
    if (!found) {
      throw new Refusal('not_found', `There is no dataset ${dataset_id} on offer.`, {}, {}, [
        'list_datasets',
      ]);
    }
    const [shown] = await rows(
      tx.db,
      { preview: nullable(column.json) },
      `select v.preview from dataset d
         join dataset_version v on (v.dataset_id, v.version) = (d.id, d.version)
        where d.id = $1 and d.preview_rows is not null`,
      [dataset_id],
    );
    const preview = shown?.preview as Preview | null | undefined;
    return {
      ...viewOf(found, tx.caller),
      preview: preview ? { untrusted: true as const, ...preview } : null,
    };
  },
});
