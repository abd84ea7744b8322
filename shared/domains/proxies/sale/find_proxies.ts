import { operation } from '../../../kernel/operation.ts';
import { Input, Output, Text, Type } from '../../../kernel/schema.ts';
import { assertChargeable } from '../../wallet/charge.ts';
import { POSITIONS } from '../pool/segments.ts';
import { FILTERS } from '../pool/filters.ts';
import { Country, numberOf, onSale, ProxyId, type SoldProxy } from '../proxies.ts';
import { choose } from './sell.ts';

/** Maximum proxies that a connection tries, one after the other. */
const PROXIES_MAX = 3;

export const findProxies = operation({
  name: 'find_proxies',
  title: 'Find proxies for a connection',
  summary:
    'Internal: finds the proxies that a connection of the SOCKS5 server may try, in order, if ' +
    'its agent can pay for one.',
  access: 'any',
  mode: 'read',
  input: Input({
    country: Type.Optional(Country),
    city: FILTERS.city,
    asn: FILTERS.asn,
    position: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: POSITIONS,
        description: 'The position in the pool to begin at. Absent: any.',
      }),
    ),
    first: Type.Optional(ProxyId),
  }),
  output: Output({
    proxies: Type.Array(
      Output({
        id: Text(1, 10, 'Id of the proxy.'),
        ip_port: Text(9, 60, 'host:port.'),
        country_code: Text(2, 2, 'The country of its exit.'),
      }),
      { maxItems: PROXIES_MAX },
    ),
  }),

  async handle(tx, { country, city, asn, position: start, first }) {
    await assertChargeable(tx, { service: 'proxy', units: 1 });
    // A user name has no blanks, and some cities have hyphens: their names are tried as both.
    const names =
      city === undefined ? [undefined] : [...new Set([city.replaceAll('-', ' '), city])];
    let others: readonly SoldProxy[] = [];
    for (const name of names) {
      if (others.length > 0) break;
      const filters = { ...(name && { city: name }), ...(asn && { asn }) };
      others = await choose(tx, { count: PROXIES_MAX, country, start, filters });
    }
    const preferred =
      first === undefined ? [] : await onSale(tx.db, [numberOf(first)], { country });
    const kept = preferred.filter(
      (proxy) =>
        (asn === undefined || proxy.asn === asn) &&
        (city === undefined || proxy.city?.toLowerCase().replaceAll(' ', '-') === city),
    );
    const all = [...kept, ...others.filter(({ id }) => id !== kept[0]?.id)];
    return {
      proxies: all
        .slice(0, PROXIES_MAX)
        .map(({ id, ip_port, country_code }) => ({ id, ip_port, country_code })),
    };
  },
});
