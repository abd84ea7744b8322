import { operation } from '../../../kernel/operation.ts';
import { Amount, Input, Output, Text } from '../../../kernel/schema.ts';
import { algorandOf, Assets, ASSETS } from './network.ts';

export const algoInfo = operation({
  name: 'algo_info',
  title: 'Show how to pay with ALGO',
  summary:
    'Shows the network, address and minimum amount for payments in ALGO. For the note that ' +
    'marks yours, use algo_deposit. Free.',
  phrasings: `
    how to pay with Algorand; ALGO network, address and assets; accepted coins on Algorand; your
    setup on the ALGO chain; which Algorand network and app do you use; Algorand platform
    details, mainnet or testnet; conversion and minimum of ALGO; does the market take Algorand;
    Algorand details; explain paying by Algorand; minimum payment in ALGO; which assets on
    Algorand; confirmations needed on Algorand; is Algorand supported; Algorand network status
    and address; pay with algos; can I use ALGO here; what do I need to know about paying with
    Algorand; how does payment with algos work; facts about the Algorand side`,
  access: 'read',
  mode: 'read',
  rest: 'GET /api/v1/algo/info',
  input: Input({}),
  output: Output('AlgorandInfo', {
    network: Text(1, 40, 'mainnet or sandbox (test money).'),
    address: Text(58, 58, 'Address to pay to, with a note that names you.'),
    assets: Assets,
    min_amount: Amount('Minimum value that is credited.'),
  }),
  refusals: ['rail_unavailable'],

  async handle({ config }) {
    const { shown: network, address } = algorandOf(config);
    return { network, address, assets: ASSETS, min_amount: config.deposits.chainMin };
  },
});
