import { Input, invalid, OneOf, Text, Type, type Static } from '../kernel/schema.ts';
import { isAddress, isHostName } from '../platform/egress/addresses.ts';

const PORT = 21;
export const PROTOCOLS = ['ftp', 'ftps'] as const;

/** Commands are lines, so no line may be hidden in a field. */
const Field = (maxLength: number, description: string, start = '') =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: `^${start}[^\\u0000-\\u001f\\u007f]*$`,
    description,
  });

/** Where the files are, and a user that may read them: what a seller registers. */
export const FtpInput = Input({
  host: Text(1, 253, 'A public host name or address.'),
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, description: '21 if absent.' })),
  protocol: Type.Optional(
    OneOf(PROTOCOLS, 'ftps: with TLS (AUTH TLS) and a valid certificate. ftp if absent.'),
  ),
  username: Field(80, 'The same for all buyers, so it should be able to read only.'),
  password: Field(200, 'Of that user. Buyers get it.'),
  path: Field(1_000, 'The folder or file, from the root: begins with /.', '/'),
});

/** Credentials of an FTP server, as buyers get them. Secret. */
export interface FtpDelivery extends Required<Static<typeof FtpInput>> {}

/** As it is stored. */
export function ftpOf(input: Static<typeof FtpInput>): FtpDelivery {
  const host = input.host.toLowerCase();
  if (!isAddress(host) && !isHostName(host)) {
    throw invalid([{ pointer: '/ftp/host', message: 'is no host name, nor an address' }]);
  }
  return { ...input, host, port: input.port ?? PORT, protocol: input.protocol ?? 'ftp' };
}
