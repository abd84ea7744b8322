import { operation } from '../../../kernel/operation.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { Amount, Input, Output, type Static } from '../../../kernel/schema.ts';
import { numberOf, onSale, ProxyId, ProxyView } from '../proxies.ts';
import { sell } from './sell.ts';
import { redactAddresses, rehydrateAddresses } from './sold_answers.ts';
import { costsOf, spendOn } from '../../wallet/charge.ts';
import { SPENDING_REFUSALS } from '../../wallet/spending_refusals.ts';

export const proxyFetchOne = operation({
  name: 'proxy_fetch_one',
  title: 'Get one proxy',
  summary:
    'Returns one proxy by its id, for example one you had before, as long as it works. For new ' +
    'ones, use proxy_list. Takes $0.001 from the wallet.',
  phrasings: `
    one certain proxy by id; a single IP by its number; buy this proxy again; details for one
    SOCKS endpoint by its id; is proxy 991 still alive; get that same IP once more; look up
    proxy number 12; fetch a specific exit node; get a particular proxy; proxy with this id;
    details of one proxy; ip and port of proxy 5; find one proxy by identifier; retrieve proxy;
    a proxy that I used before; single proxy; I want that one IP back; show me proxy 17; this
    id, which host is it; the same proxy as before; just one IP with a known id`,
  access: 'any',
  mode: 'write',
  queue: 'money',
  rest: 'GET /api/v1/proxy/:proxy_id',
  effects: { destructive: true, takes: 'charged' },
  refusals: ['not_found', ...SPENDING_REFUSALS],
  input: Input({ proxy_id: ProxyId }),
  output: Output('BoughtProxy', {
    ...ProxyView.properties,
    charged: Amount('$0.001.'),
  }),
  stored: {
    redact: ({ charged, ...proxy }) => redactAddresses({ proxies: [proxy], count: 1, charged }),
    async rehydrate(db, redacted) {
      const { proxies, charged } = await rehydrateAddresses(db, redacted);
      return { ...proxies[0]!, charged };
    },
  },

  paid: {
    costs: costsOf('proxy'),
    soldWithoutKey: {},
    async costOf(tx, { proxy_id }) {
      await findOnSale(tx, proxy_id);
      return spendOn({ service: 'proxy', units: 1 });
    },
  },

  async handle(tx, { proxy_id }) {
    const proxy = await findOnSale(tx, proxy_id);
    return { ...proxy, charged: await sell(tx, [proxy]) };
  },
});

async function findOnSale({ db }: Tx, id: Static<typeof ProxyId>) {
  const [proxy] = await onSale(db, [numberOf(id)]);
  if (proxy) return proxy;
  throw new Refusal('not_found', 'There is no such proxy on sale. Nothing was charged.');
}
