import { operation } from '../../kernel/operation.ts';
import { wrongCursor } from '../../kernel/paging.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import {
  Id,
  ID_MAX,
  Input,
  OneOf,
  Output,
  Text,
  Time,
  Type,
  Untrusted,
} from '../../kernel/schema.ts';
import { untrusted } from '../../kernel/text.ts';
import { TYPES } from '../products/dataset/dataset.ts';
import { findRight, type Right } from './access_right.ts';
import { recordAccess } from './accesses.ts';
import { DELIVERED, openLink } from './delivered.ts';
import { claimAsking, findGrantFor, grantFor, userOf, waitingFor } from './grants.ts';
import type { FtpDelivery } from './ftp_delivery.ts';
import { connectionStringOf, type MysqlDelivery } from './mysql_delivery.ts';
import { pageOfRows } from './pages.ts';
import { setDatasetUser } from './set_dataset_user.ts';
import { openPart } from './versions.ts';

export const accessDataset = operation({
  name: 'access_dataset',
  title: 'Open a dataset',
  summary:
    'Returns the credentials, link or rows of a dataset that is free, bought by you or your own. ' +
    'Each access is recorded and shown to the seller. Your first access to a bought dataset ends ' +
    'your right to return it unseen. Rows as files: GET /api/v1/datasets/:dataset_id/rows. Free.',
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
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: ID_MAX,
        description:
          'The version you bought, until its deal is final, or the current one. If absent, the ' +
          'first of these.',
      }),
    ),
    cursor: Type.Optional(Text(1, 40, 'For json: the last next_cursor; first page if absent.')),
  }),
  output: Output('DatasetAccess', {
    dataset_id: Id('The dataset.'),
    version: Type.Integer({ description: 'Version; rises with each renewal.' }),
    current_version: Type.Optional(
      Type.Integer({ description: 'Version that new buyers get, if it is another one.' }),
    ),
    type: OneOf(TYPES, 'The type, which decides the fields.'),
    status: OneOf(
      ['granted', 'active'] as const,
      'granted: your user is being created, repeat in a second.',
    ),
    fault: Type.Optional(Untrusted('Why the last attempt failed.')),
    due_at: Type.Optional(Time('Refunded then if not let in.')),
    ...DELIVERED,
    connection_string: Type.Optional(Type.String({ description: 'The same as one mysql:// URL.' })),
  }),

  async handle(tx, { dataset_id, version: asked, cursor }) {
    const right = await servedTo(tx, await findRight(tx, dataset_id, asked));
    const { id, version, type } = right.dataset;
    const about = {
      dataset_id: id,
      version,
      ...(version !== right.current && { current_version: right.current }),
      type,
      untrusted: true as const,
    };
    const delivered = await deliveredOf(tx, right, cursor);
    if (!delivered) {
      const state = await waitingFor(tx, right);
      const failed = state.status === 'failed' ? { fault: untrusted(state.reason!) } : {};
      const { due_at } = state;
      return { ...about, status: 'granted' as const, ...(due_at && { due_at }), ...failed };
    }
    await recordAccess(tx, right);
    return { ...about, status: 'active' as const, ...delivered };
  },
});

/** The right, to the current version where only the server of that one could make the user. */
async function servedTo(tx: Tx, right: Right): Promise<Right> {
  const { dataset, current, asked } = right;
  if (dataset.type !== 'mysql' || dataset.version === current || asked !== undefined) return right;
  const isMoved = (await findGrantFor(tx, right))?.version === current;
  return isMoved ? { ...right, dataset: { ...dataset, version: current } } : right;
}

/** The delivery; undefined: it is not ready yet. Refuses if it has ended. */
async function deliveredOf(tx: Tx, right: Right, cursor: string | undefined) {
  const { dataset } = right;
  if (dataset.type === 'json') return pageOfRows(tx, dataset, cursor);
  if (cursor !== undefined) throw wrongCursor();
  const text = (await openPart(tx, dataset, dataset))!;
  if (dataset.type === 'mysql') return connectionOf(tx, right, JSON.parse(text) as MysqlDelivery);
  if (dataset.type === 'ftp') return JSON.parse(text) as FtpDelivery;
  const link = await openLink(tx, dataset, text);
  const { expires_at } = link;
  if (expires_at !== null && new Date(expires_at) <= tx.now) throw linkEnded(right, expires_at);
  return link;
}

const linkEnded = ({ dataset: { version }, current }: Right, expires_at: string) =>
  new Refusal(
    'invalid_transition',
    `The link of version ${version} of this dataset expired at ${expires_at}. ` +
      (version === current ? 'Its seller has to renew it.' : `Ask for version ${current}.`),
    { expires_at, current_version: current },
  );

/** The buyer's own user if it exists; otherwise starts a job that creates it. */
async function connectionOf(tx: Tx, right: Right, server: MysqlDelivery) {
  const { grant, isNew } = await grantFor(tx, right);
  if (grant.version !== right.dataset.version) {
    if (isNew || (await claimAsking(tx, grant))) {
      const input = { grant_id: grant.id, ...(right.asked && { version: right.asked }) };
      await tx.enqueue(setDatasetUser, input, { cause: 'user' });
    }
    return undefined;
  }
  const { host, port, database, tls } = server;
  const user = userOf(tx, grant);
  const connection_string = connectionStringOf(server, user);
  return { host, port, database, ...user, connection_string, tls };
}
