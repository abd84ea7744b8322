import { toUsd } from '../../../kernel/money.ts';
import { operation } from '../../../kernel/operation.ts';
import {
  Amount,
  Input,
  Nullable,
  OneOf,
  Output,
  Text,
  Time,
  Type,
} from '../../../kernel/schema.ts';
import { METERED } from '../../wallet/charge.ts';
import { ATTRIBUTION, countryNameOf, UNKNOWN } from './countries.ts';
import { loadPool, type Pool } from './pool.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

const Seconds = (share: string) =>
  Type.Integer({ description: `${share} passed a check within this many seconds.` });
const Freshness = { p50: Seconds('Half'), p90: Seconds('90 %'), p99: Seconds('99 %') };

export const proxyInfo = operation({
  name: 'proxy_info',
  title: 'Proxy pool statistics',
  summary:
    'Shows the number of SOCKS5 proxies on sale, their countries and their price. To get some, ' +
    'use proxy_list. Free, and needs no key.',
  phrasings: `
    how big is the proxy pool; number of IPs, price and protocols; statistics of the proxies;
    what do your proxies cost; how many SOCKS servers do you have; how does the rotating gateway
    work; host and port of the proxy entry; proxy product overview, success rate; are there any
    proxies up; proxy service overview; what proxies do you offer and at what price; how many
    proxies; is the proxy pool up; proxy price; protocols and pool size; tell me about your
    proxies; cost per proxy; number of available IPs; general facts about proxies; live proxy
    count; do you sell proxies; how much is one IP; tell me the size of the pool; proxy rates;
    is the service up; what kind of proxies are these`,
  access: 'public',
  mode: 'read',
  rest: 'GET /api/v1/proxy/info',
  input: Input({
    by_country: Type.Optional(
      Type.Boolean({ description: 'true: lists the countries with their numbers.' }),
    ),
  }),
  output: Output('ProxyPool', {
    total: Count('Proxies that passed their last check and are on sale.'),
    hot: Count('The best of them. proxy_list without a country draws from these.'),
    exits: Count('Different exit addresses of all on sale.'),
    countries: Count('Exit countries.'),
    protocols: Type.Array(OneOf(['socks5'], 'A protocol.'), {
      maxItems: 5,
      description: 'Proxy protocols.',
    }),
    price: Amount('Price of one proxy. Only proxies returned are charged.'),
    refreshed_at: Nullable(Time('Last check that passed; null: the pool is empty.')),
    freshness: Nullable(Output('PoolFreshness', Freshness)),
    by_country: Type.Optional(
      Type.Array(
        Output('CountryPool', {
          country_code: Text(2, 2, 'ISO 3166 code; ZZ: not known.'),
          country: Text(1, 100, 'English name.'),
          count: Count('Proxies on sale.'),
          hot: Count('Hot proxies.'),
          exits: Count('Different exit addresses.'),
          freshness: Output(Freshness),
        }),
        { maxItems: 300, description: 'If requested; most first.' },
      ),
    ),
    demo: Type.Boolean({ description: 'true: proxies of our own machine, for trials.' }),
    attribution: Text(1, 100, 'Source of the country data.'),
  }),

  async handle(tx, { by_country: byCountry = false }) {
    const pool = await loadPool(tx.db);
    const { unitPrice } = METERED.proxy;
    return {
      total: pool.total,
      hot: pool.segment(undefined).ids.length,
      exits: sum([...pool.countries.values()].map(({ distinct }) => distinct.ids.length)),
      countries: [...pool.countries.keys()].filter((code) => code !== UNKNOWN).length,
      protocols: ['socks5' as const],
      price: toUsd(unitPrice),
      refreshed_at: pool.passedAt?.toISOString() ?? null,
      freshness: pool.freshness,
      ...(byCountry && { by_country: countriesOf(pool) }),
      demo: tx.config.proxies.demo,
      attribution: ATTRIBUTION,
    };
  },
});

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

const countriesOf = ({ countries, details }: Pool) =>
  [...countries]
    .map(([code, { ids, distinct }]) => ({
      country_code: code,
      country: countryNameOf(code),
      count: ids.length,
      exits: distinct.ids.length,
      ...details.get(code)!,
    }))
    .toSorted((a, b) => b.count - a.count || (a.country_code < b.country_code ? -1 : 1));
