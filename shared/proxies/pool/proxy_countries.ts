import { operation } from '../../kernel/operation.ts';
import { Input, Nullable, Output, Text, Type } from '../../kernel/schema.ts';
import { ATTRIBUTION, countryNameOf } from './countries.ts';
import { loadPool } from './pool.ts';

export const proxyCountries = operation({
  name: 'proxy_countries',
  title: 'Proxy countries',
  summary:
    'Lists the countries that proxies on sale lead out in, with how many there are of each, most ' +
    'first. Free.',
  access: 'any',
  mode: 'read',
  domain: 'proxies',
  rest: 'GET /api/v1/proxy/countries',
  core: true,
  input: Input({}),
  output: Output('CountryList', {
    countries: Type.Array(
      Output({
        country_code: Text(2, 2, 'Pass it to proxy_list as country. ZZ: not known.'),
        country: Text(1, 100, 'Its English name.'),
        count: Type.Integer({ minimum: 1, description: 'Proxies on sale.' }),
      }),
      { maxItems: 300 },
    ),
    count: Type.Integer({ description: 'How many countries.' }),
    next_cursor: Nullable(Type.String({ description: 'Always null: all are on one page.' })),
    has_more: Type.Boolean({ description: 'Always false.' }),
    attribution: Text(1, 100, 'Whose data the countries are.'),
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
