import { Text, Type, type Static } from '../../kernel/schema.ts';
import { field, view } from '../../kernel/view.ts';
import { column, rows, type Database } from '../../platform/rows.ts';
import { ANONYMITIES } from './checks/forwarding.ts';
import { ON_SALE } from './checks/states.ts';

/** A share in thousandths. */
const share = (description: string) => ({
  schema: Type.Number({ description }),
  column: column.float,
  show: (rate: number) => Math.round(rate * 1_000) / 1_000,
});

/** A proxy as it is sold. */
const PROXY = view('Proxy', {
  id: {
    schema: Text(1, 10, 'An integer. Pass it to report_proxy when the proxy does not work.'),
    column: column.id,
    show: (id: number) => String(id),
  },
  ip_port: field.asIs(Text(9, 60, 'host:port. Use it as socks5h://host:port.'), column.text),
  exit_ip: field.asIs(Text(2, 45, 'Address that targets see.'), column.text),
  country_code: field.asIs(
    Text(2, 2, 'ISO 3166 code of its exit address; ZZ: not known.'),
    column.text,
  ),
  protocol: field.oneOf(['socks5'], 'Proxy protocol.'),
  latency_ms: field.whole('Duration of our last check through it.'),
  last_checked_at: field.time('Time of that check.'),
  anonymity: field.orNull(
    field.oneOf(ANONYMITIES, 'elite: targets see no proxy; transparent: they see you.'),
  ),
  success_rate: field.orNull(share('Share of checks passed in a day; 0 to 1.')),
  uptime: field.orNull(share('Share of a day it was up; 0 to 1.')),
  city: field.orNull(field.text('City of its exit; null: not known.')),
  asn: field.orNull(field.whole('Its autonomous system; null: not known.')),
  https: field.orNull(field.flag('Whether TLS passes unchanged; null: not known.')),
});

export const ProxyView = PROXY.schema;
export type SoldProxy = Readonly<Static<typeof ProxyView>>;

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
    { ...PROXY.columns, exit_key: column.int },
    `select id, ip_port, host(exit_address) as exit_ip, coalesce(exit_key, -id) as exit_key,
            country_code, protocol, latency_ms, checked_at as last_checked_at,
            anonymity, success_rate, uptime, city, asn, https
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
    return PROXY.show(proxy);
  });
}

/** An id as a number. Ids beyond the largest become one that no proxy has. */
export const numberOf = (id: number | string): number => (Number(id) > ID_MAX ? 0 : Number(id));
