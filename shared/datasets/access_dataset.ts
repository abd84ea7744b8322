import { emit } from '../events/events.ts';
import { operation, type Tx } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Id, Input, Nullable, OneOf, Output, Text, Type } from '../kernel/schema.ts';
import { recordOpening } from '../orders/opening.ts';
import { column, execute, nullable, row } from '../platform/rows.ts';
import { TYPES } from './dataset.ts';
import { findRight, type Right } from './access_right.ts';
import type { UrlDelivery } from './delivery.ts';
import { claimAsking, grantFor, userOf } from './grants.ts';
import { PROTOCOLS, type FtpDelivery } from './ftp_delivery.ts';
import { connectionStringOf, TLS_MODES, type MysqlDelivery } from './mysql_delivery.ts';
import { pageOfRows, wrongCursor } from './pages.ts';
import { setDatasetUser } from './set_dataset_user.ts';
import { openPart } from './versions.ts';

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
  input: Input({
    dataset_id: Id('The dataset. From list_datasets, or the vault of an order.'),
    cursor: Type.Optional(
      Text(1, 40, 'For json: the next_cursor of the answer before. The first page if absent.'),
    ),
  }),
  output: Output('DatasetAccess', {
    dataset_id: Id('The dataset.'),
    version: Type.Integer({ description: 'Rises when its seller renews it.' }),
    type: OneOf(TYPES, 'Which fields there are.'),
    status: OneOf(
      ['granted', 'active'] as const,
      'granted: your user is being made, ask again in a second.',
    ),
    untrusted: Type.Literal(true, { description: 'By another party.' }),
    data: Type.Optional(
      Type.Array(Type.Unknown({ description: 'A row.' }), { description: 'The rows.' }),
    ),
    row_count: Type.Optional(Type.Integer({ description: 'How many there are on all pages.' })),
    next_cursor: Type.Optional(
      Nullable(Type.String({ description: 'The cursor of the next page of rows; null: none.' })),
    ),
    has_more: Type.Optional(Type.Boolean({ description: 'Whether there is a next page.' })),
    host: Type.Optional(Type.String({ description: 'The server.' })),
    port: Type.Optional(Type.Integer({ description: 'Its port.' })),
    database: Type.Optional(Type.String({ description: 'There.' })),
    username: Type.Optional(Type.String({ description: 'mysql: yours alone; it may only read.' })),
    password: Type.Optional(Type.String({ description: 'Of that user.' })),
    connection_string: Type.Optional(Type.String({ description: 'The same as mysql://…' })),
    tls: Type.Optional(
      OneOf(
        TLS_MODES,
        'mysql: required, verified: no login without TLS. verified: its certificate is valid for the host.',
      ),
    ),
    protocol: Type.Optional(OneOf(PROTOCOLS, 'ftps: say AUTH TLS before you log in.')),
    path: Type.Optional(Type.String({ description: 'The folder or file there.' })),
    url: Type.Optional(Type.String({ description: 'Where the file is.' })),
    expires_at: Type.Optional(
      Nullable(Type.String({ format: 'date-time', description: 'When that ends; null: never.' })),
    ),
    sha256: Type.Optional(Type.String({ description: 'Of the file.' })),
    size_bytes: Type.Optional(Type.Integer({ description: 'Of the file.' })),
    content_type: Type.Optional(Nullable(Type.String({ description: 'Of the file.' }))),
  }),

  async handle(tx, { dataset_id, cursor }) {
    const right = await findRight(tx, dataset_id);
    const { id, version, type } = right.dataset;
    const about = { dataset_id: id, version, type, untrusted: true as const };
    const delivered = await deliveredOf(tx, right, cursor);
    if (!delivered) return { ...about, status: 'granted' as const };
    await recordAccess(tx, right);
    return { ...about, status: 'active' as const, ...delivered };
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
  size_bytes: nullable(column.int),
  sha256: nullable(column.text),
  content_type: nullable(column.text),
};

/** Undefined: it is not there yet. Refuses where nothing is left to be had. */
async function deliveredOf(tx: Tx, right: Right, cursor: string | undefined) {
  const { dataset } = right;
  if (dataset.type === 'json') return pageOfRows(tx, dataset, cursor);
  if (cursor !== undefined) throw wrongCursor();
  const text = (await openPart(tx, dataset, dataset))!;
  if (dataset.type === 'mysql') return connectionOf(tx, right, JSON.parse(text) as MysqlDelivery);
  if (dataset.type === 'ftp') return JSON.parse(text) as FtpDelivery;
  const facts = await row(
    tx.db,
    FACTS,
    `select size_bytes, sha256, content_type from dataset_version
      where dataset_id = $1 and version = $2`,
    [dataset.id, dataset.version],
  );
  const { url, expires_at } = JSON.parse(text) as UrlDelivery;
  if (expires_at !== null && new Date(expires_at) <= tx.now) throw linkEnded(expires_at);
  const { size_bytes, sha256, content_type } = facts;
  return { url, expires_at, sha256: sha256!, size_bytes: size_bytes!, content_type };
}

const linkEnded = (expires_at: string) =>
  new Refusal(
    'invalid_transition',
    `The link of this dataset ended at ${expires_at}. Its seller has to renew it.`,
    { expires_at },
  );

/** The user that is the buyer's own, if it is there; otherwise a worker is asked to make it. */
async function connectionOf(tx: Tx, right: Right, server: MysqlDelivery) {
  const { grant, isNew } = await grantFor(tx, right);
  if (grant.version !== right.dataset.version) {
    if (isNew || (await claimAsking(tx.db, grant.id))) {
      await tx.enqueue(setDatasetUser, { grant_id: grant.id }, { cause: 'user' });
    }
    return undefined;
  }
  const { host, port, database, tls } = server;
  const user = userOf(tx, grant);
  const connection_string = connectionStringOf(server, user);
  return { host, port, database, ...user, connection_string, tls };
}
