import { parseUrl } from '../parse_url.ts';
import { checkUser } from './url_user.ts';

const SENTINELS =
  /^redis(s?)\+sentinel:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([\w.:[\],-]+)\/([\w.-]+)(?:\?(.*))?$/;
const SENTINEL_PORT = 26_379;

/** The address of Redis for ioredis: a URL, or the Sentinels that know it. */
type RedisAddress = { readonly url: string } | { readonly sentinels: SentinelAddress };

interface SentinelAddress {
  readonly sentinels: { host: string; port: number }[];
  readonly name: string;
  readonly db: number;
  readonly username?: string;
  readonly password?: string;
  readonly sentinelPassword?: string;
  readonly tls?: object;
  readonly enableTLSForSentinelMode?: boolean;
}

/**
 * Reads `redis://…` and `rediss://…` (TLS), or the Sentinels that know where it is:
 * `redis+sentinel://user:password@host1:26379,host2,host3/name?db=0&sentinel_password=…`. User and
 * password are those of Redis. Throws its fault in words that follow the name of the setting.
 */
export function redisAddressOf(text: string): RedisAddress {
  if (/^rediss?:/.test(text)) checkUser(text);
  if (/^rediss?:/.test(text) && parseUrl(text)) return { url: text };
  const [, tls, user, password, hosts, name, query] = SENTINELS.exec(text) ?? [];
  const sentinels = (hosts ?? '').split(',').map(sentinelOf);
  if (!name || sentinels.some((sentinel) => !sentinel)) {
    throw new Error(
      'must be a URL that starts with redis:// or rediss://, or name the Sentinels: ' +
        'redis+sentinel://host1:26379,host2,host3/name',
    );
  }
  const more = new URLSearchParams(query);
  const sentinelPassword = more.get('sentinel_password');
  return {
    sentinels: {
      name,
      sentinels: sentinels as { host: string; port: number }[],
      db: Number(more.get('db') ?? 0),
      ...(user && { username: decodeURIComponent(user) }),
      ...(password && { password: decodeURIComponent(password) }),
      ...(sentinelPassword && { sentinelPassword }),
      ...(tls && { tls: {}, enableTLSForSentinelMode: true }),
    },
  };
}

function sentinelOf(text: string): { host: string; port: number } | undefined {
  const [, inBrackets, plain, port] =
    /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d+))?$/i.exec(text) ?? [];
  const host = inBrackets ?? plain;
  return host === undefined ? undefined : { host, port: Number(port ?? SENTINEL_PORT) };
}
