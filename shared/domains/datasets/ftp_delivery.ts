import { Input, invalid, OneOf, Text, Type, type Static } from '../../kernel/schema.ts';
import { isAddress, isHostName } from '../../platform/egress/addresses.ts';

const PORT = 21;
export const PROTOCOLS = ['ftp', 'ftps'] as const;

/** A field without line breaks: FTP commands are lines, and a field must not hide another one. */
const Field = (maxLength: number, description: string, start = '') =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: `^${start}[^\\u0000-\\u001f\\u007f]*$`,
    description,
  });

/** A seller's FTP server and a user that may read the files. */
export const FtpInput = Input({
  host: Text(1, 253, 'A public host name or address.'),
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, description: '21 if absent.' })),
  protocol: Type.Optional(
    OneOf(PROTOCOLS, 'ftps: with TLS (AUTH TLS) and a valid certificate. ftp if absent.'),
  ),
  username: Field(80, 'User shared by all buyers; should be read-only.'),
  password: Field(200, 'Password of the user. Buyers get it.'),
  path: Field(1_000, 'Absolute path of the folder or file, from /.', '/'),
});

/** Credentials of an FTP server, as buyers get them. Secret. */
export interface FtpDelivery extends Required<Static<typeof FtpInput>> {}

/** The delivery as it is stored. */
export function ftpOf(input: Static<typeof FtpInput>): FtpDelivery {
  const host = input.host.toLowerCase();
  if (!isAddress(host) && !isHostName(host)) {
    throw invalid([{ pointer: '/ftp/host', message: 'must be a host name or an address' }]);
  }
  return { ...input, host, port: input.port ?? PORT, protocol: input.protocol ?? 'ftp' };
}
