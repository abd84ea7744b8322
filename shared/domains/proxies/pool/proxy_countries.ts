import { operation } from '../../../kernel/operation.ts';
import { Input, Nullable, Output, Text, Type } from '../../../kernel/schema.ts';
import { ATTRIBUTION, countryNameOf } from './countries.ts';
import { loadPool } from './pool.ts';

export const proxyCountries = operation({
  name: 'proxy_countries',
  title: 'Proxy countries',
  summary:
    'Lists the exit countries of proxies on sale with the number of proxies, most first. Pass ' +
    'one to proxy_list. Free.',
  phrasings: `
    which countries have proxies; locations of exit nodes; countries to choose an IP from; which
    nations can I pick IPs from; do you have Brazilian exits; geo coverage of the pool; country
    codes available; where are the proxies located; which countries are available; where can I
    get IPs; supported locations; list of countries with proxies; from what regions are the IPs;
    proxies per country; is this country covered; geographic availability; country list; can I
    get IPs in Asia; where on earth are your proxies; what places can I appear from; is
    Canada among the countries; best covered countries`,
  access: 'any',
  mode: 'read',
  rest: 'GET /api/v1/proxy/countries',
  input: Input({}),
  output: Output('CountryList', {
    countries: Type.Array(
      Output({
        country_code: Text(2, 2, 'Pass it to proxy_list as country. ZZ: not known.'),
        country: Text(1, 100, 'English name.'),
        count: Type.Integer({ minimum: 1, description: 'Proxies on sale.' }),
      }),
      { maxItems: 300 },
    ),
    count: Type.Integer({ description: 'Number of countries.' }),
    next_cursor: Nullable(Type.String({ description: 'Always null: all are on one page.' })),
    has_more: Type.Boolean({ description: 'Always false.' }),
    attribution: Text(1, 100, 'Source of the country data.'),
  }),

  async handle(tx) {
    const pool = await loadPool(tx.db);
    const countries = [...pool.countries]
      .map(([code, { ids }]) => ({
        country_code: code,
        country: countryNameOf(code),
        count: ids.length,
      }))
      .toSorted((a, b) => b.count - a.count || (a.country_code < b.country_code ? -1 : 1));
    return {
      countries,
      count: countries.length,
      next_cursor: null,
      has_more: false,
      attribution: ATTRIBUTION,
    };
  },
});
