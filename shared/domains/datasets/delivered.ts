import { Nullable, OneOf, Type } from '../../kernel/schema.ts';
import type { Tx } from '../../kernel/tx.ts';
import { column, nullable, row } from '../../platform/rows.ts';
import type { Dataset } from '../products/dataset/dataset.ts';
import type { UrlDelivery } from './delivery.ts';
import { PROTOCOLS } from './ftp_delivery.ts';
import { TLS_MODES } from './mysql_delivery.ts';

/** The fields of what a version delivers, of which each type has some. */
export const DELIVERED = {
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
    Nullable(Type.String({ format: 'date-time', description: 'Expiry of the URL; null: never.' })),
  ),
  sha256: Type.Optional(
    Type.String({
      description: 'SHA-256 of the file; json: of all rows as one JSON list without spaces.',
    }),
  ),
  size_bytes: Type.Optional(Type.Integer({ description: 'Size of the file.' })),
  content_type: Type.Optional(Nullable(Type.String({ description: 'Type of the file.' }))),
};

const FACTS = {
  size_bytes: nullable(column.int),
  sha256: nullable(column.text),
  content_type: nullable(column.text),
};

/** A link, with what its check found. `text` is the delivery of this version. */
export async function openLink(
  { db }: Pick<Tx, 'db'>,
  { id, version }: Pick<Dataset, 'id' | 'version'>,
  text: string,
) {
  const { size_bytes, sha256, content_type } = await row(
    db,
    FACTS,
    `select size_bytes, sha256, content_type from dataset_version
      where dataset_id = $1 and version = $2`,
    [id, version],
  );
  const { url, expires_at } = JSON.parse(text) as UrlDelivery;
  return { url, expires_at, sha256: sha256!, size_bytes: size_bytes!, content_type };
}
