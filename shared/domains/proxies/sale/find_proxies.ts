import { operation } from '../../../kernel/operation.ts';
import { Input, Output, Text, Type } from '../../../kernel/schema.ts';
import { assertChargeable } from '../../wallet/charge.ts';
import { POSITIONS } from '../pool/segments.ts';
import { Country, numberOf, onSale, ProxyId } from '../proxies.ts';
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

  async handle(tx, { country, position: start, first }) {
    await assertChargeable(tx, { service: 'proxy', units: 1 });
    const preferred =
      first === undefined ? [] : await onSale(tx.db, [numberOf(first)], { country });
    const others = await choose(tx, { count: PROXIES_MAX, country, start });
    const all = [...preferred, ...others.filter(({ id }) => id !== preferred[0]?.id)];
    return {
      proxies: all
        .slice(0, PROXIES_MAX)
        .map(({ id, ip_port, country_code }) => ({ id, ip_port, country_code })),
    };
  },
});
