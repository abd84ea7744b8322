import { operation } from '../../../kernel/operation.ts';
import { Input, Output, Text } from '../../../kernel/schema.ts';
import { noteOf, referenceOf } from '../chain/references.ts';
import { algorandOf, Assets, ASSETS } from './network.ts';

export const algoDeposit = operation({
  name: 'algo_deposit',
  title: 'Pay in ALGO',
  summary:
    'Returns the address to pay ALGO to and the note that marks the payment as yours. The ' +
    'payment is credited when its round ends. If not, use algo_verify_deposit. The note never ' +
    'changes. Free.',
  phrasings: `
    deposit ALGO; where do I send algos; address and note to pay in on Algorand; I want to fund
    my wallet with ALGO; get a deposit memo for Algorand; where to send Algos and with which
    note; pay in from my Pera wallet; bind an ALGO transfer to me; top up via Algorand; send
    ALGO to you; my ALGO deposit note; transfer algos from my wallet; Algorand top-up
    instructions; receive address for ALGO; put Algorand money in; load balance with algos; fund
    account from exchange with ALGO; give me the address and note for ALGO; I hold algos and
    want to use them here; move ALGO into my balance; how can I put in algos`,
  access: 'buy',
  mode: 'read',
  rest: 'POST /api/v1/algo/deposit',
  input: Input({}),
  output: Output('AlgorandDeposit', {
    network: Text(1, 40, 'mainnet or sandbox (test money).'),
    address: Text(58, 58, 'Address to pay to.'),
    note: Text(1, 100, 'Note of the payment: exactly this text as UTF-8.'),
    assets: Assets,
  }),
  refusals: ['rail_unavailable'],

  async handle({ db, config, caller }) {
    const { shown: network, address } = algorandOf(config);
    const note = noteOf(await referenceOf(db, caller.agentId));
    return { network, address, note, assets: ASSETS };
  },
});
