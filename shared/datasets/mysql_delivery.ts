import { Input, invalid, Text, Type, type Static } from '../kernel/schema.ts';
import { isAddress, isHostName } from '../platform/egress/addresses.ts';

const TABLES_MAX = 50;
const PORT = 3306;

const Name = (description: string) =>
  Type.String({ pattern: '^[A-Za-z0-9_$]{1,64}$', maxLength: 64, description });

/** Where the data are, and a user that may make others: what a seller registers. */
export const MysqlInput = Input({
  host: Text(1, 253, 'A public host name or address.'),
  port: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 65_535, description: '3306 if absent.' }),
  ),
  database: Name('By name.'),
  username: Text(1, 80, 'May create users and grant SELECT.'),
  password: Text(1, 200, 'Shown to nobody.'),
  tables: Type.Array(Name('By name.'), {
    minItems: 1,
    maxItems: TABLES_MAX,
    description: 'All that buyers may read.',
  }),
});

/** A seller's own connection. Secret. */
export interface MysqlDelivery extends Omit<Static<typeof MysqlInput>, 'port'> {
  readonly port: number;
}

/** As it is stored. */
export function mysqlOf(input: Static<typeof MysqlInput>): MysqlDelivery {
  const host = input.host.toLowerCase();
  if (!isAddress(host) && !isHostName(host)) {
    throw invalid([{ pointer: '/mysql/host', message: 'is no host name, nor an address' }]);
  }
  return { ...input, host, port: input.port ?? PORT };
}
