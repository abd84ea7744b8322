import { toUsd } from '../../ledger/money.ts';
import { operation } from '../../kernel/operation.ts';
import { Amount, Input, Nullable, OneOf, Output, Text, Time, Type } from '../../kernel/schema.ts';
import { METERED } from '../../wallet/charge.ts';
import { ATTRIBUTION, countryNameOf, UNKNOWN } from './countries.ts';
import { loadPool, type Pool } from './pool.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

const Seconds = (share: string) =>
  Type.Integer({ description: `${share} passed a check in so many seconds, or fewer.` });
const Freshness = { p50: Seconds('Half'), p90: Seconds('90 %'), p99: Seconds('99 %') };

export const proxyInfo = operation({
  name: 'proxy_info',
  title: 'Proxy pool statistics',
  summary:
    'Shows how many SOCKS5 proxies are on sale, in how many countries, and what one costs. Free, ' +
    'and needs no key.',
  access: 'public',
  mode: 'read',
  domain: 'proxies',
  rest: 'GET /api/v1/proxy/info',
  core: true,
  input: Input({
    by_country: Type.Optional(
      Type.Boolean({ description: 'true: lists the countries with their numbers.' }),
    ),
  }),
  output: Output('ProxyPool', {
    total: Count('Proxies that passed their last check and are on sale.'),
    hot: Count('The best of them. proxy_list without a country draws from these.'),
    countries: Count('Countries that they lead out in.'),
    protocols: Type.Array(OneOf(['socks5'], 'A protocol.'), {
      maxItems: 5,
      description: 'What they speak.',
    }),
    price: Amount('Of one proxy. Only proxies that are returned are charged.'),
    refreshed_at: Nullable(Time('When one of them last passed a check; null: the pool is empty.')),
    freshness: Nullable(Output('PoolFreshness', Freshness)),
    by_country: Type.Optional(
      Type.Array(
        Output('CountryPool', {
          country_code: Text(2, 2, 'ISO 3166 code; ZZ: not known.'),
          country: Text(1, 100, 'Its English name.'),
          count: Count('Proxies on sale.'),
          hot: Count('Of these.'),
          freshness: Output(Freshness),
        }),
        { maxItems: 300, description: 'If you asked for it: most first.' },
      ),
    ),
    demo: Type.Boolean({ description: 'true: they are of our own machine, for trying out.' }),
    attribution: Text(1, 100, 'Whose data the countries are.'),
  }),

  async handle(tx, { by_country: byCountry = false }) {
    const pool = await loadPool(tx.db);
    const { unitPrice } = METERED.proxy;
    return {
      total: pool.total,
      hot: pool.segment(undefined).ids.length,
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

const countriesOf = ({ countries, details }: Pool) =>
  [...countries]
    .map(([code, { ids }]) => ({
      country_code: code,
      country: countryNameOf(code),
      count: ids.length,
      ...details.get(code)!,
    }))
    .toSorted((a, b) => b.count - a.count || (a.country_code < b.country_code ? -1 : 1));
