import { operation, type Tx } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Id, Input } from '../kernel/schema.ts';
import { column, execute, row } from '../platform/rows.ts';
import { checkDataset } from './check_dataset.ts';
import type { Dataset } from './dataset.ts';
import { findVersionView, VersionView } from './dataset_view.ts';
import { DELIVERY_FIELDS, deliveryOf } from './delivery.ts';
import { lockOwnDataset } from './own_dataset.ts';
import { activate, insertVersion } from './versions.ts';

export const rotateDataset = operation({
  name: 'rotate_dataset',
  title: 'Renew a dataset',
  summary:
    'Makes a new version of a dataset of yours: new rows, a new link, or new credentials of a ' +
    'server. Everybody who may open it gets the new one, from when it has passed its check; ' +
    'until then the one before. Free.',
  access: 'sell',
  mode: 'write',
  domain: 'datasets',
  rest: 'POST /api/v1/datasets/:dataset_id/rotate',
  destructive: true, // What was delivered before is deleted.
  refusals: ['not_found', 'forbidden', 'invalid_transition', 'payload_too_large'],
  input: Input({ dataset_id: Id('A dataset of yours.'), ...DELIVERY_FIELDS }),
  output: VersionView,

  async handle(tx, { dataset_id, ...given }) {
    const dataset = await lockOwnDataset(tx, dataset_id);
    const delivery = deliveryOf(dataset.type, given);
    await assertChecked(tx, dataset);
    const version = dataset.newest + 1;
    await execute(tx.db, 'update dataset set newest = $2 where id = $1', [dataset_id, version]);
    const size = await insertVersion(tx, { ...dataset, newest: version }, delivery);
    if (size) await activate(tx, dataset, { version, ...size });
    else await tx.enqueue(checkDataset, { dataset_id, version }, { cause: 'check' });
    return findVersionView(tx.db, dataset_id);
  },
});

/** One check at a time: it costs others more than its seller. */
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
    `Version ${newest} is being checked. Try again when that has ended.`,
    { version: newest },
  );
}
