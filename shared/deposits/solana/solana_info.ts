import { operation } from '../../kernel/operation.ts';
import { Amount, Input, Nullable, Output, Text, Type } from '../../kernel/schema.ts';
import { CHAINS, networkOf, shownNetwork } from '../chain/networks.ts';
import { noteOf, referenceOf } from '../chain/references.ts';
import { railUnavailable } from '../rails.ts';

export const solanaInfo = operation({
  name: 'solana_info',
  title: 'How to pay by Solana',
  summary:
    'Shows where to pay SOL or USDC on Solana and the memo that makes the payment yours. It is in ' +
    'your wallet about 15 seconds later, or at once by solana_verify. Free.',
  access: 'read',
  mode: 'read',
  domain: 'deposits',
  rest: 'GET /api/v1/solana/info',
  core: true,
  refusals: ['rail_unavailable'],
  input: Input({}),
  output: Output('SolanaInfo', {
    network: Text(1, 40, 'mainnet-beta; or sandbox: of this machine, without value.'),
    address: Text(32, 44, 'Whom to pay, in SOL and in USDC: an owner of tokens.'),
    memo: Text(1, 60, 'Goes into an instruction of the memo program in the same transaction.'),
    assets: Type.Array(
      Output({
        asset: Text(1, 20, 'What is taken.'),
        decimals: Type.Integer({ description: 'Of its base unit.' }),
        mint: Nullable(Text(32, 44, 'Its mint, of the first token program; null: the coin.')),
      }),
      { maxItems: 10, description: 'Others, whatever they are called, are not credited.' },
    ),
    min_amount: Amount('What is worth less is not credited.'),
  }),

  async handle({ db, config, caller }) {
    const { solana } = config.deposits.chains;
    if (!solana) throw railUnavailable('solana');
    return {
      network: shownNetwork(networkOf('solana', solana)),
      address: solana.address,
      memo: noteOf(await referenceOf(db, caller.agentId)),
      assets: CHAINS.solana.assets.map(({ sign, decimals }) => ({
        asset: sign,
        decimals,
        mint: sign === 'USDC' ? solana.usdc : null,
      })),
      min_amount: config.deposits.chainMin,
    };
  },
});
