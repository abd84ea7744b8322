import { Nullable, OneOf, Output, Text, Time, Type } from '../../kernel/schema.ts';
import { column, nullable, oneOf, rows, type Database, type Row } from '../../platform/rows.ts';
import { ANONYMITIES, type Anonymity } from './checks/forwarding.ts';
import { ON_SALE } from './checks/states.ts';

/** A proxy as it is sold. */
export const ProxyView = Output('Proxy', {
  id: Text(1, 10, 'An integer. Pass it to report_proxy when the proxy does not work.'),
  ip_port: Text(9, 60, 'host:port. Use it as socks5h://host:port.'),
  exit_ip: Text(2, 45, 'Address that targets see.'),
  country_code: Text(2, 2, 'ISO 3166 code of its exit address; ZZ: not known.'),
  protocol: OneOf(['socks5'], 'Proxy protocol.'),
  latency_ms: Type.Integer({ description: 'Duration of our last check through it.' }),
  last_checked_at: Time('Time of that check.'),
  anonymity: Nullable(
    OneOf(ANONYMITIES, 'elite: targets see no proxy; transparent: they see you.'),
  ),
  success_rate: Nullable(Type.Number({ description: 'Share of checks passed in a day; 0 to 1.' })),
  uptime: Nullable(Type.Number({ description: 'Share of a day it was up; 0 to 1.' })),
  city: Nullable(Type.String({ description: 'City of its exit; null: not known.' })),
  asn: Nullable(Type.Integer({ description: 'Its autonomous system; null: not known.' })),
  https: Nullable(Type.Boolean({ description: 'Whether TLS passes unchanged; null: not known.' })),
});

export interface SoldProxy {
  readonly id: string;
  readonly ip_port: string;
  readonly exit_ip: string;
  readonly country_code: string;
  readonly protocol: 'socks5';
  readonly latency_ms: number;
  readonly last_checked_at: string;
  readonly anonymity: Anonymity | null;
  readonly success_rate: number | null;
  readonly uptime: number | null;
  readonly city: string | null;
  readonly asn: number | null;
  readonly https: boolean | null;
}

/** The largest id that the interface accepts. */
const ID_MAX = 2 ** 31 - 1;

/** An id in either of its two forms. */
export const ProxyId = Type.Union(
  [
    Type.Integer({ minimum: 1, maximum: ID_MAX, description: 'An integer.' }),
    Type.String({
      pattern: '^[1-9]\\d{0,9}$',
      maxLength: 10,
      description: 'An integer as a string.',
    }),
  ],
  { description: 'The id of a proxy.' },
);

export const Country = Type.String({
  pattern: '^[A-Za-z]{2}$',
  maxLength: 2,
  description: 'ISO 3166 code of two letters. Absent: any, from the hot pool.',
});

const COLUMNS = {
  id: column.id,
  ip_port: column.text,
  exit_ip: column.text,
  exit_key: column.int,
  country_code: column.text,
  protocol: oneOf<'socks5'>(),
  latency_ms: column.int,
  checked_at: column.time,
  anonymity: nullable(oneOf<Anonymity>()),
  success_rate: nullable(column.float),
  uptime: nullable(column.float),
  city: nullable(column.text),
  asn: nullable(column.id),
  https: nullable(column.boolean),
};

interface SaleConditions {
  readonly country?: string | undefined;
  readonly hot?: boolean;
  /** Exits found so far: no other proxy of them is. Absent: any number of an exit. */
  readonly exits?: Set<number> | undefined;
}

/** Finds which of these proxies are on sale at this moment, in the order of the ids. */
export async function onSale(
  db: Database,
  ids: readonly number[],
  { country, hot, exits }: SaleConditions = {},
): Promise<SoldProxy[]> {
  const found = await rows(
    db,
    COLUMNS,
    `select id, ip_port, host(exit_address) as exit_ip, coalesce(exit_key, -id) as exit_key,
            country_code, protocol, latency_ms, checked_at, anonymity,
            success_rate, uptime, city, asn, https
       from proxy
      where id = any ($1) and ${ON_SALE}
        and ($2::text is null or country_code = $2) and (not $3 or state = 'hot')`,
    [ids, country ?? null, hot ?? false],
  );
  const byId = new Map(found.map((proxy) => [proxy.id, proxy]));
  return ids.flatMap((id) => {
    const proxy = byId.get(id);
    if (!proxy || exits?.has(proxy.exit_key)) return [];
    exits?.add(proxy.exit_key);
    return soldProxyOf(proxy);
  });
}

function soldProxyOf(proxy: Row<typeof COLUMNS>): SoldProxy {
  const { ip_port, exit_ip, country_code, protocol, latency_ms, anonymity } = proxy;
  return {
    id: String(proxy.id),
    ip_port,
    exit_ip,
    country_code,
    protocol,
    latency_ms,
    last_checked_at: proxy.checked_at.toISOString(),
    anonymity,
    success_rate: inThousandths(proxy.success_rate),
    uptime: inThousandths(proxy.uptime),
    city: proxy.city,
    asn: proxy.asn,
    https: proxy.https,
  };
}

const inThousandths = (rate: number | null) =>
  rate === null ? null : Math.round(rate * 1_000) / 1_000;

/** An id as a number. Ids beyond the largest become one that no proxy has. */
export const numberOf = (id: number | string): number => (Number(id) > ID_MAX ? 0 : Number(id));
