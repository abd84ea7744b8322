import { Input, invalid, OneOf, Text, Type, type Static } from '../../kernel/schema.ts';
import { isAddress, isHostName } from '../../platform/egress/addresses.ts';

const TABLES_MAX = 50;
const PORT = 3306;
/** TLS modes, like ssl-mode of MySQL's own programs: preferred, required, verify_identity. */
export const TLS_MODES = ['preferred', 'required', 'verified'] as const;

/** A name that the server may have quoted: no quotation mark, no dot, and no space around it. */
const Name = (description: string) =>
  Type.String({
    pattern: '^[\\w$-]([\\w$ -]*[\\w$-])?$',
    maxLength: 64,
    description,
  });

/** A seller's MySQL server and a user that may create others. */
export const MysqlInput = Input({
  host: Text(1, 253, 'A public host name or address.'),
  port: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 65_535, description: '3306 if absent.' }),
  ),
  database: Name('Name of the database.'),
  username: Text(1, 80, 'User that may create users and grant SELECT.'),
  password: Text(1, 200, 'Password, shown to nobody.'),
  tables: Type.Array(Name('Name of a table.'), {
    minItems: 1,
    maxItems: TABLES_MAX,
    description: 'All tables that buyers may read.',
  }),
  tls: Type.Optional(
    OneOf(
      TLS_MODES,
      'verified: only with a certificate valid for the host name. required: only with TLS, any ' +
        'certificate. preferred: TLS if offered. Applies to buyers too. preferred if absent.',
    ),
  ),
});

/** A seller's own connection. Secret. */
export interface MysqlDelivery extends Required<Static<typeof MysqlInput>> {}

/** A user of such a server. Secret. */
export interface MysqlUser {
  readonly username: string;
  readonly password: string;
}

/** The delivery as it is stored. */
export function mysqlOf(input: Static<typeof MysqlInput>): MysqlDelivery {
  const host = input.host.toLowerCase();
  if (!isAddress(host) && !isHostName(host)) {
    throw invalid([{ pointer: '/mysql/host', message: 'must be a host name or an address' }]);
  }
  const { tls = 'preferred', port = PORT } = input;
  if (tls === 'verified' && isAddress(host)) {
    throw invalid([
      { pointer: '/mysql/host', message: 'must be a host name when tls is verified' },
    ]);
  }
  return { ...input, host, port, tls };
}

const SSL_MODES = {
  preferred: '',
  required: '?ssl-mode=REQUIRED',
  verified: '?ssl-mode=VERIFY_IDENTITY',
};

/** The connection as one URL, with the `ssl-mode` that MySQL's own programs read. Secret. */
export function connectionStringOf(
  { host, port, database, tls }: MysqlDelivery,
  { username, password }: MysqlUser,
): string {
  const address = host.includes(':') ? `[${host}]` : host;
  const path = encodeURI(database) + SSL_MODES[tls];
  return `mysql://${username}:${password}@${address}:${port}/${path}`;
}
