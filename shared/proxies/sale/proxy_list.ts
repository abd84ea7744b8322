import { dialect, operation } from '../../kernel/operation.ts';
import { Amount, Input, Output, Type } from '../../kernel/schema.ts';
import { affordableUnits } from '../../wallet/affordable.ts';
import { FILTERS, type ProxyFilters } from '../pool/filters.ts';
import { Country, ProxyView } from '../proxies.ts';
import { choose, sell, type Selection } from './sell.ts';
import { redactAddresses, rehydrateAddresses } from './sold_answers.ts';
import { costsOf, spendOn } from '../../wallet/charge.ts';
import { SPENDING_REFUSALS } from '../../wallet/spending_refusals.ts';

const LIMIT = 10;
const REST_LIMIT_MAX = 100;
const TOOL_LIMIT_MAX = 2_000;

const fields = (limitMax: number) =>
  Input({
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limitMax,
        description: 'How many at most; 10 if absent.',
      }),
    ),
    country: Type.Optional(Country),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        description:
          'Skips so many of your own list, for pages that do not overlap. Absent: random.',
      }),
    ),
    ...FILTERS,
    partial: Type.Optional(
      Type.Boolean({
        description: 'true: when the wallet or a limit is too low for all, get what it allows.',
      }),
    ),
  });

export const proxyList = operation({
  name: 'proxy_list',
  title: 'Get proxies',
  summary:
    'Returns working SOCKS5 proxies (use them as socks5h://ip_port), of one country or from the ' +
    'hot pool, by anonymity, city, network or how well they worked. Takes $0.001 each from the wallet for those that are returned, and nothing for none.',
  access: 'any',
  mode: 'write',
  domain: 'proxies',
  queue: 'money',
  rest: 'GET /api/v1/proxy/list',
  core: true,
  destructive: true,
  refusals: [...SPENDING_REFUSALS],
  input: fields(TOOL_LIMIT_MAX),
  dialect: dialect(fields(REST_LIMIT_MAX), (input) => input),
  output: Output('ProxyList', {
    proxies: Type.Array(ProxyView, { maxItems: TOOL_LIMIT_MAX }),
    count: Type.Integer({ minimum: 0, description: 'How many are returned.' }),
    charged: Amount('count × $0.001.'),
  }),
  redact: redactAddresses,
  rehydrate: rehydrateAddresses,

  costs: costsOf('proxy', REST_LIMIT_MAX),
  soldWithoutKey: {},
  async costOf(tx, input) {
    const { length: units } = await choose(tx, selectionOf(input));
    return spendOn({ service: 'proxy', units });
  },

  async handle(tx, { partial = false, ...input }) {
    const found = await choose(tx, selectionOf(input));
    const units = partial ? await affordable(found.length) : found.length;
    const proxies = found.slice(0, units);
    return { proxies, count: proxies.length, charged: await sell(tx, proxies) };

    /** At least one, so that the charge refuses a wallet without a thousandth of a dollar. */
    async function affordable(units: number): Promise<number> {
      return Math.max(1, await affordableUnits(tx, { service: 'proxy', units }));
    }
  },
});

const selectionOf = ({
  limit = LIMIT,
  country,
  offset,
  ...filters
}: {
  readonly limit?: number;
  readonly country?: string;
  readonly offset?: number;
} & ProxyFilters): Selection => ({
  count: limit,
  country: country?.toUpperCase(),
  offset,
  filters,
});
