import { operation } from '../../kernel/operation.ts';
import { Input, Output, Text, Type } from '../../kernel/schema.ts';
import { assertChargeable } from '../../wallet/charge.ts';
import { PLACES } from '../pool/pool.ts';
import { Country, numberOf, onSale, ProxyId } from '../proxies.ts';
import { choose } from './sell.ts';

/** Proxies that a connection tries, one after the other. */
const TRIES = 3;

export const findProxies = operation({
  name: 'find_proxies',
  title: 'Find proxies for a connection',
  summary:
    'Internal: which proxies a connection of the SOCKS5 door may try, in this order, if its agent ' +
    'may pay for one.',
  access: 'any',
  mode: 'read',
  domain: 'proxies',
  input: Input({
    country: Type.Optional(Country),
    place: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: PLACES,
        description: 'Where among the others to begin. Absent: anywhere.',
      }),
    ),
    first: Type.Optional(ProxyId),
  }),
  output: Output({
    proxies: Type.Array(
      Output({
        id: Text(1, 10, 'Its id.'),
        ip_port: Text(9, 60, 'Where it is.'),
        country_code: Text(2, 2, 'Where it leads out.'),
      }),
      { maxItems: TRIES },
    ),
  }),

  async handle(tx, { country, place: start, first }) {
    await assertChargeable(tx, { service: 'proxy', units: 1 });
    const kept = first === undefined ? [] : await onSale(tx.db, [numberOf(first)], { country });
    const others = await choose(tx, { count: TRIES, country, start });
    const all = [...kept, ...others.filter(({ id }) => id !== kept[0]?.id)];
    return {
      proxies: all
        .slice(0, TRIES)
        .map(({ id, ip_port, country_code }) => ({ id, ip_port, country_code })),
    };
  },
});
