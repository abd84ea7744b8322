import { emit } from '../events/events.ts';
import { count } from '../../kernel/limits/limits.ts';
import { operation } from '../../kernel/operation.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, Nullable, OneOf, Output, Text, Type, Untrusted } from '../../kernel/schema.ts';
import { untrusted } from '../../kernel/text.ts';
import { recordOpening, takeOpening } from '../orders/opening.ts';
import { column, execute, nullable, row } from '../../platform/rows.ts';
import { TYPES } from '../products/dataset/dataset.ts';
import { findRight, type Right } from './access_right.ts';
import type { UrlDelivery } from './delivery.ts';
import { claimAsking, faultFor, grantFor, userOf } from './grants.ts';
import { PROTOCOLS, type FtpDelivery } from './ftp_delivery.ts';
import { connectionStringOf, TLS_MODES, type MysqlDelivery } from './mysql_delivery.ts';
import { pageOfRows, wrongCursor } from './pages.ts';
import { setDatasetUser } from './set_dataset_user.ts';
import { openPart } from './versions.ts';

export const accessDataset = operation({
  name: 'access_dataset',
  title: 'Open a dataset',
  summary:
    'Returns the credentials, link or rows of a dataset that is free, bought by you or your own. ' +
    'Each access is recorded and shown to the seller. Your first access to a bought dataset ends ' +
    'your right to return it unseen. Free.',
  phrasings: `
    login of a database that I bought; download a dataset; credentials for MySQL or FTP data;
    open data that I have rights to; read rows; host, user and password for the tables I am
    entitled to; how do I connect to the data; FTP login of a dataset; open the data I
    purchased; read the rows of dataset 40; link to the file of a dataset; MySQL connection
    string; open my dataset; get the data; login for a dataset; how do I use the dataset;
    database credentials; connect to MySQL; FTP access; download the file of my dataset;
    retrieve rows as JSON; data host and port; get access to data I paid for; query the dataset;
    export a dataset; read the data; let me at the data; how do I log in to the database; give
    me the connection details; pull the data; open the database; where can I download my data; I
    have bought data, now what; get the rows`,
  access: 'any',
  mode: 'write',
  rest: 'GET /api/v1/datasets/:dataset_id/access',
  effects: {
    destructive: true, // The first access ends the right to return the data unseen.
    idempotent: true,
  },
  stored: { secret: true },
  refusals: ['not_found', 'forbidden', 'invalid_transition', 'rate_limited'],
  input: Input({
    dataset_id: Id('The dataset. See list_datasets or the vault of an order.'),
    cursor: Type.Optional(Text(1, 40, 'For json: the last next_cursor; first page if absent.')),
  }),
  output: Output('DatasetAccess', {
    dataset_id: Id('The dataset.'),
    version: Type.Integer({ description: 'Version; rises with each renewal.' }),
    type: OneOf(TYPES, 'The type, which decides the fields.'),
    status: OneOf(
      ['granted', 'active'] as const,
      'granted: your user is being created, repeat in a second.',
    ),
    fault: Type.Optional(
      Untrusted('Why the last attempt to create it failed. Repeat later, or return the order.'),
    ),
    untrusted: Type.Literal(true, { description: 'Data by another party.' }),
    data: Type.Optional(
      Type.Array(Type.Unknown({ description: 'A row.' }), { description: 'The rows.' }),
    ),
    row_count: Type.Optional(Type.Integer({ description: 'Rows on all pages.' })),
    next_cursor: Type.Optional(
      Nullable(Type.String({ description: 'Cursor of the next page; null: none.' })),
    ),
    has_more: Type.Optional(Type.Boolean({ description: 'There is a next page.' })),
    host: Type.Optional(Type.String({ description: 'The server.' })),
    port: Type.Optional(Type.Integer({ description: 'Port of the server.' })),
    database: Type.Optional(Type.String({ description: 'Name of the database.' })),
    username: Type.Optional(
      Type.String({ description: 'User name; mysql: yours alone, read only.' }),
    ),
    password: Type.Optional(Type.String({ description: 'Password of the user.' })),
    connection_string: Type.Optional(Type.String({ description: 'The same as one mysql:// URL.' })),
    tls: Type.Optional(
      OneOf(
        TLS_MODES,
        'mysql: required, verified: TLS only. verified: its certificate is valid for the host.',
      ),
    ),
    protocol: Type.Optional(OneOf(PROTOCOLS, 'ftps: send AUTH TLS before login.')),
    path: Type.Optional(Type.String({ description: 'The folder or file.' })),
    url: Type.Optional(Type.String({ description: 'URL of the file.' })),
    expires_at: Type.Optional(
      Nullable(
        Type.String({ format: 'date-time', description: 'Expiry of the URL; null: never.' }),
      ),
    ),
    sha256: Type.Optional(Type.String({ description: 'SHA-256 of the file.' })),
    size_bytes: Type.Optional(Type.Integer({ description: 'Size of the file.' })),
    content_type: Type.Optional(Nullable(Type.String({ description: 'Type of the file.' }))),
  }),

  async handle(tx, { dataset_id, cursor }) {
    const right = await findRight(tx, dataset_id);
    const { id, version, type } = right.dataset;
    const about = { dataset_id: id, version, type, untrusted: true as const };
    const delivered = await deliveredOf(tx, right, cursor);
    if (!delivered) {
      const fault = await faultFor(tx, right);
      const failed = fault === undefined ? {} : { fault: untrusted(fault) };
      return { ...about, status: 'granted' as const, ...failed };
    }
    await recordAccess(tx, right);
    return { ...about, status: 'active' as const, ...delivered };
  },
});

async function recordAccess(tx: Tx, { dataset, order }: Right): Promise<void> {
  const { db, caller, requestId } = tx;
  if (order?.revealed_at === null) await recordOpening(tx, order);
  else await takeOpening(tx);
  await execute(
    db,
    `insert into opening (agent_id, root_id, object_kind, object_id, first, request_id)
     values ($1, $2, 'dataset', $3, false, $4)`,
    [caller.agentId, caller.rootId, dataset.id, requestId],
  );
  const about = { dataset_id: dataset.id, version: dataset.version };
  const of = `dataset ${dataset.id} version ${dataset.version}`;
  const accesses = await count(tx, ACCESSES, { tree: caller.rootId, of });
  if (!isAnnounced(accesses)) return;
  const parties = new Set([caller.agentId, dataset.seller_id]);
  await emit(
    db,
    [...parties].map((agentId) => ({
      agentId,
      type: 'dataset.accessed',
      object: { kind: 'dataset', id: dataset.id, status: 'active' },
      data: { ...about, accessed_by: caller.agentId, accesses },
    })),
  );
}

/** Accesses of a tree of agents to one version of a dataset. */
const ACCESSES = { kind: 'dataset_accesses', windowSeconds: 3_600 };

/**
 * Whether this access of the hour has events: the 1st, 10th, 100th and so on. A reader who opens it
 * again and again, or page by page, fills no feed and no webhook of its seller, who still hears of
 * each hour, and of many accesses while they happen.
 */
const isAnnounced = (accesses: number): boolean => /^10*$/.test(String(accesses));

const FACTS = {
  size_bytes: nullable(column.int),
  sha256: nullable(column.text),
  content_type: nullable(column.text),
};

/** The delivery; undefined: it is not ready yet. Refuses if it has ended. */
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
    `The link of this dataset expired at ${expires_at}. Its seller has to renew it.`,
    { expires_at },
  );

/** The buyer's own user if it exists; otherwise starts a job that creates it. */
async function connectionOf(tx: Tx, right: Right, server: MysqlDelivery) {
  const { grant, isNew } = await grantFor(tx, right);
  if (grant.version !== right.dataset.version) {
    if (isNew || (await claimAsking(tx, grant))) {
      await tx.enqueue(setDatasetUser, { grant_id: grant.id }, { cause: 'user' });
    }
    return undefined;
  }
  const { host, port, database, tls } = server;
  const user = userOf(tx, grant);
  const connection_string = connectionStringOf(server, user);
  return { host, port, database, ...user, connection_string, tls };
}
