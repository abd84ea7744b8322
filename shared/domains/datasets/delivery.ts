import {
  Id,
  Input,
  invalid,
  Moment,
  Text,
  timeOf,
  Type,
  type Static,
} from '../../kernel/schema.ts';
import { PublicJson, PublicLine } from '../../kernel/text.ts';
import type { DatasetType } from '../products/dataset/dataset.ts';
import { PREVIEW_ROWS_MAX } from './files/preview.ts';
import { FtpInput, ftpOf, type FtpDelivery } from './ftp_delivery.ts';
import { MysqlInput, mysqlOf, type MysqlDelivery } from './mysql_delivery.ts';
import type { RowsSize } from './uploads.ts';
import { parseUrl } from '../../platform/parse_url.ts';

/* The delivery of a version of a dataset, as its seller describes it. */

const ROWS_MAX = 40_000;
const URL_CHARS_MAX = 2_048;

const Url = Input({
  url: Text(1, URL_CHARS_MAX, 'An https:// or http:// URL without a user.'),
  expires_at: Type.Optional(Moment('Expiry of the link; never if absent.')),
  sha256: Type.Optional(
    Type.String({
      pattern: '^[0-9a-fA-F]{64}$',
      maxLength: 64,
      description: 'SHA-256 of the file, 64 hex digits.',
    }),
  ),
  size_bytes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Size of the file.',
    }),
  ),
  content_type: Type.Optional(Text(1, 100, 'Content type, as text/csv.')),
});

export const DELIVERY_FIELDS = {
  data: Type.Optional(
    Type.Array(PublicJson(Type.Object({}, { description: 'A row: any fields.' })), {
      minItems: 1,
      maxItems: ROWS_MAX,
      description: 'For json: the rows. Too many for one call: use upload_id instead.',
    }),
  ),
  upload_id: Type.Optional(Id('For json: uploaded rows, instead of data.')),
  url: Type.Optional({
    ...Url,
    description: 'For url: the file is fetched once, to check sha256 and size_bytes if given.',
  }),
  ftp: Type.Optional({
    ...FtpInput,
    description: 'For ftp: checked by one login. All buyers get this user.',
  }),
  mysql: Type.Optional({
    ...MysqlInput,
    description: 'For mysql: each buyer gets its own user there.',
  }),
};

/** The facts that buyers are shown before they buy. */
export const SHOWN_FIELDS = {
  licence: Type.Optional(PublicLine(Text(1, 100, 'SPDX id, as CC-BY-4.0, or words.'))),
  preview: Type.Optional(Type.Boolean({ description: 'For json: show columns.' })),
  preview_rows: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: PREVIEW_ROWS_MAX,
      description: 'First rows shown.',
    }),
  ),
};

interface ShownInput {
  readonly preview?: boolean | undefined;
  readonly preview_rows?: number | undefined;
}

/** The number of rows shown; null: no preview. Refuses a preview of other types than rows. */
export function previewRowsOf(
  type: DatasetType,
  { preview, preview_rows: count }: ShownInput,
  before: number | null,
): number | null {
  if (type !== 'json' && (preview || count !== undefined)) {
    const pointer = preview ? '/preview' : '/preview_rows';
    throw invalid([{ pointer, message: `is not allowed for type ${type}` }]);
  }
  if (preview === false && count) {
    throw invalid([{ pointer: '/preview_rows', message: 'must be absent or 0 without a preview' }]);
  }
  if (type !== 'json' || preview === false) return null;
  return count ?? before ?? (preview ? 0 : null);
}

type DeliveryInput = Partial<{
  data: object[];
  upload_id: number;
  url: Static<typeof Url>;
  ftp: Static<typeof FtpInput>;
  mysql: Static<typeof MysqlInput>;
}>;

/** A link, with the seller's description of the file. */
export interface UrlDelivery {
  readonly url: string;
  readonly expires_at: string | null;
  readonly sha256?: string;
  readonly size_bytes?: number;
  readonly content_type?: string;
}

/** The stored delivery of a version: one text, or an upload of many. */
export type Delivery =
  | {
      readonly text: string;
      /** Size of rows; the size of any other delivery is found by its check. */
      readonly rows?: RowsSize;
    }
  | { readonly uploadId: number };

/** The delivery type of each field. */
const TYPE_OF: Record<keyof DeliveryInput, DatasetType> = {
  data: 'json',
  upload_id: 'json',
  url: 'url',
  ftp: 'ftp',
  mysql: 'mysql',
};
const FIELDS = Object.keys(TYPE_OF) as (keyof DeliveryInput)[];

/** The delivery in an input. Refuses fields that do not fit this type. */
export function deliveryOf(type: DatasetType, input: DeliveryInput): Delivery {
  const given = FIELDS.filter((name) => input[name] !== undefined);
  const wrong = given.filter((name) => TYPE_OF[name] !== type);
  const [needed, second] = given.filter((name) => TYPE_OF[name] === type);
  const fields = wrong.map((name) => ({
    pointer: `/${name}`,
    message: `is not allowed for type ${type}`,
  }));
  if (!needed) {
    const pointer = `/${FIELDS.find((name) => TYPE_OF[name] === type)}`;
    fields.push({ pointer, message: `is required for type ${type}` });
  }
  if (second)
    fields.push({ pointer: `/${second}`, message: `must be absent when ${needed} is given` });
  if (fields.length > 0) throw invalid(fields);
  if (input.upload_id !== undefined) return { uploadId: input.upload_id };
  if (input.data) return rowsOf(input.data);
  return { text: JSON.stringify(addressOf(input)) };
}

function addressOf({ ftp, mysql, url }: DeliveryInput): FtpDelivery | MysqlDelivery | UrlDelivery {
  if (ftp) return ftpOf(ftp);
  return mysql ? mysqlOf(mysql) : linkOf(url!);
}

/** Stores rows as a JSON list without its brackets, so that parts can be joined. */
function rowsOf(data: readonly object[]): Delivery {
  const empty = data.findIndex((row) => Object.keys(row).length === 0);
  if (empty >= 0) throw invalid([{ pointer: `/data/${empty}`, message: 'must not be empty' }]);
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
