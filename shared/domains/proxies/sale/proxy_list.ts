import { operation } from '../../../kernel/operation.ts';
import { dialect } from '../../../kernel/terms/dialect.ts';
import { Amount, Input, OneOf, Output, Type } from '../../../kernel/schema.ts';
import { affordableUnits } from '../../wallet/affordable.ts';
import { FILTERS, type ProxyFilters } from '../pool/filters.ts';
import { Country, ProxyView } from '../proxies.ts';
import { LIST_FORMS } from './list_forms.ts';
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
        description: 'Maximum proxies; 10 if absent.',
      }),
    ),
    country: Type.Optional(Country),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        description:
          'Proxies of your own list to skip, for pages that do not overlap. Absent: random.',
      }),
    ),
    ...FILTERS,
    distinct: Type.Optional(
      OneOf(['exit', 'none'], 'exit: one proxy of each exit address, as if absent; none: any.'),
    ),
    partial: Type.Optional(
      Type.Boolean({
        description: 'true: if the wallet or a limit is too low for all, get as many as it allows.',
      }),
    ),
  });

const REST_INPUT = Input({
  ...fields(REST_LIMIT_MAX).properties,
  format: Type.Optional(
    OneOf(
      ['json', 'text', 'csv', 'clash', 'curl'],
      'Form of the answer; absent: by Accept (text/plain, text/csv, application/yaml), else JSON.',
    ),
  ),
});

export const proxyList = operation({
  name: 'proxy_list',
  title: 'Get proxies',
  summary:
    'Returns working SOCKS5 proxies (use them as socks5h://ip_port), of one country or from the ' +
    'hot pool, by anonymity, city, network or success. For one address that rotates, use ' +
    'proxy_my_key. Takes $0.001 from the wallet for each proxy returned.',
  phrasings: `
    get me a list of proxies; buy SOCKS5 servers in a country; many IPs for scraping;
    residential IPs from Germany or France; twenty residential IPs from Japan, host and port;
    batch of SOCKS5 endpoints for a crawl; next page of US SOCKS hosts; need proxies in Canada
    that are anonymous; export fifty IPs; fresh proxy servers by ISP or city; elite proxies,
    datacenter or mobile; give me proxies; get IP addresses; rent proxies; I need IPs from a
    country; list of working proxies; download proxies; fetch several proxies; change my IP, I
    need some; SOCKS5 for my scraper; a hundred proxies; page through proxies with offset;
    random IPs; proxies from the UK; buy proxies in bulk; I want to look like I am in Japan; I
    need a few fresh IPs; hide my address; give me five proxies; IPs to crawl with; some SOCKS
    servers please; a bunch of proxies; supply me with addresses of proxies`,
  access: 'any',
  mode: 'write',
  queue: 'money',
  rest: 'GET /api/v1/proxy/list',
  effects: { destructive: true, takes: 'charged' },
  refusals: [...SPENDING_REFUSALS],
  input: fields(TOOL_LIMIT_MAX),
  bindings: {
    dialect: dialect(REST_INPUT, ({ format: _form, ...input }) => input),
    forms: LIST_FORMS,
  },
  defaults: { limit: 10 },
  output: Output('ProxyList', {
    proxies: Type.Array(ProxyView, { maxItems: TOOL_LIMIT_MAX }),
    count: Type.Integer({ minimum: 0, description: 'Proxies returned.' }),
    charged: Amount('count × $0.001.'),
  }),
  stored: { redact: redactAddresses, rehydrate: rehydrateAddresses },

  paid: {
    costs: costsOf('proxy', REST_LIMIT_MAX),
    soldWithoutKey: {},
    async costOf(tx, input) {
      const { length: units } = await choose(tx, selectionOf(input));
      return spendOn({ service: 'proxy', units });
    },
  },

  async handle(tx, { partial = false, ...input }) {
    const found = await choose(tx, selectionOf(input));
    const units = partial ? await affordable(found.length) : found.length;
    const proxies = found.slice(0, units);
    return { proxies, count: proxies.length, charged: await sell(tx, proxies) };

    /** At least one, so that the charge refuses a wallet that cannot pay for one proxy. */
    async function affordable(units: number): Promise<number> {
      return Math.max(1, await affordableUnits(tx, { service: 'proxy', units }));
    }
  },
});

const selectionOf = ({
  limit = LIMIT,
  country,
  offset,
  distinct = 'exit',
  ...filters
}: {
  readonly limit?: number;
  readonly country?: string;
  readonly offset?: number;
  readonly distinct?: 'exit' | 'none';
} & ProxyFilters): Selection => ({
  count: limit,
  country: country?.toUpperCase(),
  offset,
  filters,
  isDistinct: distinct === 'exit',
});
