import { operation } from '../../kernel/operation.ts';
import { Amount, Input, Output, Text } from '../../kernel/schema.ts';
import { algorandOf, Assets, ASSETS } from './network.ts';

export const algoInfo = operation({
  name: 'algo_info',
  title: 'Show how Algorand is paid in',
  summary: 'Shows on which network ALGO is taken, where to pay it, and the least amount. Free.',
  core: true,
  access: 'read',
  mode: 'read',
  domain: 'deposits',
  rest: 'GET /api/v1/algo/info',
  input: Input({}),
  output: Output('AlgorandInfo', {
    network: Text(1, 40, 'mainnet, or sandbox: a network whose money is worth nothing.'),
    address: Text(58, 58, 'Where to pay. A payment needs a note that says whose it is.'),
    assets: Assets,
    min_amount: Amount('What a payment must be worth to be credited.'),
  }),
  refusals: ['rail_unavailable'],

  async handle({ config }) {
    const { shown: network, address } = algorandOf(config);
    return { network, address, assets: ASSETS, min_amount: config.deposits.chainMin };
  },
});
