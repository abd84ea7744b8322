import { Input, invalid, Moment, Text, timeOf, Type, type Static } from '../kernel/schema.ts';
import type { DatasetType } from './dataset.ts';
import { FtpInput, ftpOf, type FtpDelivery } from './ftp_delivery.ts';
import { MysqlInput, mysqlOf, type MysqlDelivery } from './mysql_delivery.ts';

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
      description: 'For json: the rows.',
    }),
  ),
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

/** What is stored of a version: the texts of its parts, each sealed by itself. */
export interface Delivery {
  readonly texts: readonly string[];
  /** Of rows; of anything else it is found out by the check. */
  readonly rows?: { readonly row_count: number; readonly size_bytes: number };
}

const FIELD_OF: Record<DatasetType, keyof DeliveryInput> = {
  json: 'data',
  url: 'url',
  ftp: 'ftp',
  mysql: 'mysql',
};

/** Refuses what is not the delivery of a dataset of this type. */
export function deliveryOf(type: DatasetType, input: DeliveryInput): Delivery {
  const fields = Object.values(FIELD_OF).flatMap((name) => {
    const [needed, given] = [FIELD_OF[type] === name, input[name] !== undefined];
    if (needed === given) return [];
    return [{ pointer: `/${name}`, message: `is ${needed ? 'missing' : 'not'} for type ${type}` }];
  });
  if (fields.length > 0) throw invalid(fields);
  if (input.data) return rowsOf(input.data);
  return { texts: [JSON.stringify(addressOf(input))] };
}

function addressOf({ ftp, mysql, url }: DeliveryInput): FtpDelivery | MysqlDelivery | UrlDelivery {
  if (ftp) return ftpOf(ftp);
  return mysql ? mysqlOf(mysql) : linkOf(url!);
}

/** Rows are stored as a list without its brackets, so that parts can be joined. */
function rowsOf(data: readonly object[]): Delivery {
  const text = data.map((row) => JSON.stringify(row)).join(',');
  const rows = { row_count: data.length, size_bytes: Buffer.byteLength(text) + 2 };
  return { texts: [text], rows };
}

function linkOf({ url: text, expires_at, sha256, ...facts }: Static<typeof Url>): UrlDelivery {
  const url = URL.canParse(text) ? new URL(text) : undefined;
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
