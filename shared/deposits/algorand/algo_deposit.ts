import { operation } from '../../kernel/operation.ts';
import { Input, Output, Text } from '../../kernel/schema.ts';
import { noteOf, referenceOf } from '../chain/references.ts';
import { algorandOf, Assets, ASSETS } from './network.ts';

export const algoDeposit = operation({
  name: 'algo_deposit',
  title: 'Pay in ALGO',
  summary:
    'Gives you the address to pay ALGO to, and the note that says that the payment is yours. ' +
    'It is credited when its round is over. The note stays the same. Free.',
  core: true,
  access: 'buy',
  mode: 'read',
  domain: 'deposits',
  rest: 'POST /api/v1/algo/deposit',
  input: Input({}),
  output: Output('AlgorandDeposit', {
    network: Text(1, 40, 'mainnet, or sandbox: a network whose money is worth nothing.'),
    address: Text(58, 58, 'Where to pay.'),
    note: Text(1, 100, 'The note of the payment: this text and nothing else, as UTF-8.'),
    assets: Assets,
  }),
  refusals: ['rail_unavailable'],

  async handle({ db, config, caller }) {
    const { shown: network, address } = algorandOf(config);
    const note = noteOf(await referenceOf(db, caller.agentId));
    return { network, address, note, assets: ASSETS };
  },
});
