import { operation, type Tx } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Amount, Input, Output, type Static } from '../../kernel/schema.ts';
import { numberOf, onSale, ProxyId, ProxyView } from '../proxies.ts';
import { sell } from './sell.ts';
import { redactAddresses, rehydrateAddresses } from './sold_answers.ts';
import { costsOf, spendOn } from '../../wallet/charge.ts';
import { SPENDING_REFUSALS } from '../../wallet/spending_refusals.ts';

export const proxyFetchOne = operation({
  name: 'proxy_fetch_one',
  title: 'Get one proxy',
  summary:
    'Returns one proxy by its id, for instance one that you had before, as long as it works. Takes ' +
    '$0.001 from the wallet.',
  access: 'any',
  mode: 'write',
  domain: 'proxies',
  queue: 'money',
  rest: 'GET /api/v1/proxy/:proxy_id',
  core: true,
  destructive: true,
  refusals: ['not_found', ...SPENDING_REFUSALS],
  input: Input({ proxy_id: ProxyId }),
  output: Output('BoughtProxy', {
    ...ProxyView.properties,
    charged: Amount('$0.001.'),
  }),
  redact: ({ charged, ...proxy }) => redactAddresses({ proxies: [proxy], count: 1, charged }),
  async rehydrate(db, redacted) {
    const { proxies, charged } = await rehydrateAddresses(db, redacted);
    return { ...proxies[0]!, charged };
  },

  costs: costsOf('proxy'),
  soldWithoutKey: {},
  async costOf(tx, { proxy_id }) {
    await findOnSale(tx, proxy_id);
    return spendOn({ service: 'proxy', units: 1 });
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
