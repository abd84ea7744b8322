import { operation } from '../../kernel/operation.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input } from '../../kernel/schema.ts';
import { column, execute, row } from '../../platform/rows.ts';
import { checkDataset } from './check_dataset.ts';
import type { Dataset } from '../products/dataset/dataset.ts';
import { findVersionView, VersionView } from './dataset_view.ts';
import { DELIVERY_FIELDS, deliveryOf, previewRowsOf, SHOWN_FIELDS } from './delivery.ts';
import { lockOwnDataset } from '../products/dataset/own_dataset.ts';
import { activate, insertVersion } from './versions.ts';

export const rotateDataset = operation({
  name: 'rotate_dataset',
  title: 'Renew a dataset',
  summary:
    'Creates a new version of your dataset: new rows, a new link or new credentials of a server. ' +
    'Once it has passed its check, new buyers get it, and others when their deal is final; until ' +
    'then the version they bought. Free.',
  phrasings: `
    change the login of my database for sale; new password or link for a dataset of mine;
    credentials of my data leaked; refresh my dataset with new rows; replace the FTP or MySQL
    password of my data; update the link of my dataset; release version two of my data; renew
    dataset credentials; change data password; update my dataset; new version of a dataset;
    replace the rows; dataset login leaked; reset the database login; my database password got
    out; publish fresh data to my buyers; the link of my data is dead, replace it; new data for
    the same dataset; swap the credentials of my data`,
  access: 'sell',
  mode: 'write',
  rest: 'POST /api/v1/datasets/:dataset_id/rotate',
  effects: {
    destructive: true, // The previous delivery is deleted if no open order bought it.
  },
  refusals: ['not_found', 'forbidden', 'invalid_transition', 'payload_too_large'],
  input: Input({ dataset_id: Id('A dataset of yours.'), ...SHOWN_FIELDS, ...DELIVERY_FIELDS }),
  output: VersionView,

  async handle(tx, { dataset_id, licence, preview, preview_rows: rows, ...given }) {
    const dataset = await lockOwnDataset(tx, dataset_id);
    const delivery = deliveryOf(dataset.type, given);
    await assertChecked(tx, dataset);
    const version = dataset.newest + 1;
    const { type, preview_rows: before } = dataset;
    const preview_rows = previewRowsOf(type, { preview, preview_rows: rows }, before);
    await execute(
      tx.db,
      `update dataset set newest = $2, preview_rows = $3, licence = coalesce($4, licence)
        where id = $1`,
      [dataset_id, version, preview_rows, licence ?? null],
    );
    const size = await insertVersion(tx, { ...dataset, newest: version, preview_rows }, delivery);
    if (size) await activate(tx, dataset, { version, ...size });
    else await tx.enqueue(checkDataset, { dataset_id, version }, { cause: 'check' });
    return findVersionView(tx.db, dataset_id);
  },
});

/** Refuses while a check runs: a check costs others more than it costs the seller. */
async function assertChecked({ db }: Tx, { id, newest }: Dataset): Promise<void> {
  const { checking } = await row(
    db,
    { checking: column.boolean },
    `select status = 'checking' as checking from dataset_version
      where dataset_id = $1 and version = $2`,
    [id, newest],
  );
  if (!checking) return;
  throw new Refusal(
    'invalid_transition',
    `Version ${newest} is still being checked. Retry when its check has ended.`,
    { version: newest },
  );
}
