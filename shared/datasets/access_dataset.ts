import { emit } from '../events/events.ts';
import { operation, type Tx } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Id, Input, Nullable, OneOf, Output, Type } from '../kernel/schema.ts';
import { recordOpening } from '../orders/opening.ts';
import { column, execute, nullable, row } from '../platform/rows.ts';
import { TYPES, type Dataset } from './dataset.ts';
import { findRight, type Right } from './access_right.ts';
import type { UrlDelivery } from './delivery.ts';
import { openParts } from './versions.ts';

export const accessDataset = operation({
  name: 'access_dataset',
  title: 'Open a dataset',
  summary:
    'Gives the credentials, the link or the rows of a dataset that is free, that you have bought ' +
    'or that you offer. Each access is recorded, and its seller is told. The first one of a ' +
    'dataset that you bought ends the right to give it back unseen. Free.',
  access: 'any',
  mode: 'write',
  domain: 'datasets',
  rest: 'GET /api/v1/datasets/:dataset_id/access',
  core: true,
  destructive: true, // The first opening ends the right to give the data back unseen.
  idempotent: true,
  secret: true,
  refusals: ['not_found', 'forbidden', 'invalid_transition'],
  input: Input({ dataset_id: Id('The dataset. From list_datasets, or the vault of an order.') }),
  output: Output('DatasetAccess', {
    dataset_id: Id('The dataset.'),
    version: Type.Integer({ description: 'Rises when its seller renews what it delivers.' }),
    type: OneOf(TYPES, 'Which of the fields below there are.'),
    untrusted: Type.Literal(true, { description: 'All of it was written by another party.' }),
    data: Type.Optional(
      Type.Array(Type.Unknown({ description: 'A row.' }), { description: 'json: the rows.' }),
    ),
    row_count: Type.Optional(Type.Integer({ description: 'json: how many.' })),
    url: Type.Optional(Type.String({ description: 'url: where the file is.' })),
    expires_at: Type.Optional(
      Nullable(Type.String({ format: 'date-time', description: 'When that ends; null: never.' })),
    ),
    sha256: Type.Optional(Type.String({ description: 'url: of the file, when it was checked.' })),
    size_bytes: Type.Optional(Type.Integer({ description: 'url: of the file, when checked.' })),
    content_type: Type.Optional(
      Nullable(Type.String({ description: 'url: what kind of file it is.' })),
    ),
  }),

  async handle(tx, { dataset_id }) {
    const { dataset, order } = await findRight(tx, dataset_id);
    const texts = await openParts(tx, dataset, dataset.version);
    const delivered = await deliveredOf(tx, dataset, texts);
    await recordAccess(tx, { dataset, order });
    const { id, version, type } = dataset;
    return { dataset_id: id, version, type, untrusted: true as const, ...delivered };
  },
});

async function recordAccess(tx: Tx, { dataset, order }: Right): Promise<void> {
  const { db, caller, requestId } = tx;
  if (order?.revealed_at === null) await recordOpening(tx, order);
  await execute(
    db,
    `insert into opening (agent_id, root_id, object_kind, object_id, first, request_id)
     values ($1, $2, 'dataset', $3, false, $4)`,
    [caller.agentId, caller.rootId, dataset.id, requestId],
  );
  const parties = new Set([caller.agentId, dataset.seller_id]);
  await emit(
    db,
    [...parties].map((agentId) => ({
      agentId,
      type: 'dataset.accessed',
      object: { kind: 'dataset', id: dataset.id, status: 'active' },
      data: { dataset_id: dataset.id, version: dataset.version, accessed_by: caller.agentId },
    })),
  );
}

const FACTS = {
  row_count: nullable(column.int),
  size_bytes: nullable(column.int),
  sha256: nullable(column.text),
  content_type: nullable(column.text),
};

/** Refuses where nothing is left to be had, before it is recorded as opened. */
async function deliveredOf({ db, now }: Tx, dataset: Dataset, texts: readonly string[]) {
  const { id, version, type } = dataset;
  const facts = await row(
    db,
    FACTS,
    `select row_count, size_bytes, sha256, content_type from dataset_version
      where dataset_id = $1 and version = $2`,
    [id, version],
  );
  if (type === 'json') {
    const data = JSON.parse(`[${texts.join(',')}]`) as object[];
    return { data, row_count: facts.row_count! };
  }
  const { url, expires_at } = JSON.parse(texts[0]!) as UrlDelivery;
  if (expires_at !== null && new Date(expires_at) <= now) {
    throw new Refusal(
      'invalid_transition',
      `The link of this dataset ended at ${expires_at}. Its seller has to renew it.`,
      { expires_at },
    );
  }
  const { size_bytes, sha256, content_type } = facts;
  return { url, expires_at, sha256: sha256!, size_bytes: size_bytes!, content_type };
}
