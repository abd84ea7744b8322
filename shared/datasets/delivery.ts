import { Id, Input, invalid, Moment, Text, timeOf, Type, type Static } from '../kernel/schema.ts';
import type { DatasetType } from './dataset.ts';
import { FtpInput, ftpOf, type FtpDelivery } from './ftp_delivery.ts';
import { MysqlInput, mysqlOf, type MysqlDelivery } from './mysql_delivery.ts';
import type { RowsSize } from './uploads.ts';
import { parseUrl } from '../platform/parse_url.ts';

/* What a version of a dataset delivers, as its seller names it. */

const ROWS_MAX = 40_000;
const URL_CHARS_MAX = 2_048;

const Url = Input({
  url: Text(1, URL_CHARS_MAX, 'Begins with https:// or http://, and names no user.'),
  expires_at: Type.Optional(Moment('When the link ends; never if absent.')),
  sha256: Type.Optional(
    Type.String({
      pattern: '^[0-9a-fA-F]{64}$',
      maxLength: 64,
      description: '64 hexadecimal digits.',
    }),
  ),
  size_bytes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Of the file.',
    }),
  ),
  content_type: Type.Optional(Text(1, 100, 'As text/csv.')),
});

export const DELIVERY_FIELDS = {
  data: Type.Optional(
    Type.Array(Type.Object({}, { description: 'A row: any fields.' }), {
      minItems: 1,
      maxItems: ROWS_MAX,
      description: 'For json: the rows. More than fit into a call: upload_id instead.',
    }),
  ),
  upload_id: Type.Optional(Id('For json: of rows that were uploaded; instead of data.')),
  url: Type.Optional({
    ...Url,
    description:
      'For url: it is fetched once, and must have the SHA-256 and size that you name, if any.',
  }),
  ftp: Type.Optional({
    ...FtpInput,
    description: 'For ftp: it is logged in to once. All buyers get this user.',
  }),
  mysql: Type.Optional({
    ...MysqlInput,
    description: 'For mysql: each buyer gets a user of its own there.',
  }),
};

type DeliveryInput = Partial<{
  data: object[];
  upload_id: number;
  url: Static<typeof Url>;
  ftp: Static<typeof FtpInput>;
  mysql: Static<typeof MysqlInput>;
}>;

/** A link, with what its seller says of the file. */
export interface UrlDelivery {
  readonly url: string;
  readonly expires_at: string | null;
  readonly sha256?: string;
  readonly size_bytes?: number;
  readonly content_type?: string;
}

/** What is stored of a version: a text, or an upload of many. */
export type Delivery =
  | {
      readonly text: string;
      /** Of rows; of anything else it is found out by the check. */
      readonly rows?: RowsSize;
    }
  | { readonly uploadId: number };

/** Of each field, the type that is delivered by it. */
const TYPE_OF: Record<keyof DeliveryInput, DatasetType> = {
  data: 'json',
  upload_id: 'json',
  url: 'url',
  ftp: 'ftp',
  mysql: 'mysql',
};
const FIELDS = Object.keys(TYPE_OF) as (keyof DeliveryInput)[];

/** Refuses what is not the delivery of a dataset of this type. */
export function deliveryOf(type: DatasetType, input: DeliveryInput): Delivery {
  const given = FIELDS.filter((name) => input[name] !== undefined);
  const wrong = given.filter((name) => TYPE_OF[name] !== type);
  const [needed, second] = given.filter((name) => TYPE_OF[name] === type);
  const fields = wrong.map((name) => ({ pointer: `/${name}`, message: `is not for type ${type}` }));
  if (!needed) {
    const pointer = `/${FIELDS.find((name) => TYPE_OF[name] === type)}`;
    fields.push({ pointer, message: `is missing for type ${type}` });
  }
  if (second) fields.push({ pointer: `/${second}`, message: `is not needed beside ${needed}` });
  if (fields.length > 0) throw invalid(fields);
  if (input.upload_id !== undefined) return { uploadId: input.upload_id };
  if (input.data) return rowsOf(input.data);
  return { text: JSON.stringify(addressOf(input)) };
}

function addressOf({ ftp, mysql, url }: DeliveryInput): FtpDelivery | MysqlDelivery | UrlDelivery {
  if (ftp) return ftpOf(ftp);
  return mysql ? mysqlOf(mysql) : linkOf(url!);
}

/** Rows are stored as a list without its brackets, so that parts can be joined. */
function rowsOf(data: readonly object[]): Delivery {
  const text = data.map((row) => JSON.stringify(row)).join(',');
  const rows = { row_count: data.length, size_bytes: Buffer.byteLength(text) + 2 };
  return { text, rows };
}

function linkOf({ url: text, expires_at, sha256, ...facts }: Static<typeof Url>): UrlDelivery {
  const url = parseUrl(text);
  const isGood =
    url && ['https:', 'http:'].includes(url.protocol) && !url.username && !url.password;
  if (!isGood || url.href.length > URL_CHARS_MAX) {
    const message = 'must be a URL that begins with https:// or http://, without a user name';
    throw invalid([{ pointer: '/url/url', message }]);
  }
  return {
    url: url.href,
    expires_at: timeOf('/url/expires_at', expires_at)?.toISOString() ?? null,
    ...(sha256 && { sha256: sha256.toLowerCase() }),
    ...facts,
  };
}
