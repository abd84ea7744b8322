import { operation } from '../../../kernel/operation.ts';
import { Amount, Input, Nullable, Output, Text, Type } from '../../../kernel/schema.ts';
import { CHAINS, networkOf, shownNetwork } from '../chain/networks.ts';
import { noteOf, referenceOf } from '../chain/references.ts';
import { railUnavailable } from '../rails.ts';

export const solanaInfo = operation({
  name: 'solana_info',
  title: 'Show how to pay on Solana',
  summary:
    'Shows where to pay SOL or USDC on Solana, and the memo that marks the payment as yours. It ' +
    'is credited about 15 seconds later, or at once by solana_verify. Free.',
  phrasings: `
    how to pay with SOL; deposit SOL or USDC on Solana; address and memo to pay in on Solana;
    which Solana address takes my USDC; fund my account with SOL; Solana network, program and
    mint; do you take SPL tokens; memo for a Solana payment; pay from Phantom; how to deposit by
    Solana; address for SOL; send USDC SPL, to which address; pay with SOL or USDC on Solana;
    Solana network details and memo; fund wallet from Phantom or Solflare; is Solana supported;
    SOL minimum payment; receive address on Solana; mainnet-beta details; can I use SOL here;
    where can I send SOL; I hold SOL and want to use it; facts about the Solana side; which memo
    do I use with SOL`,
  access: 'read',
  mode: 'read',
  rest: 'GET /api/v1/solana/info',
  refusals: ['rail_unavailable'],
  input: Input({}),
  output: Output('SolanaInfo', {
    network: Text(1, 40, 'mainnet-beta or sandbox (test money).'),
    address: Text(32, 44, 'Recipient of SOL and USDC: an owner of tokens.'),
    memo: Text(1, 60, 'Text for a memo program instruction in the same transaction.'),
    assets: Type.Array(
      Output({
        asset: Text(1, 20, 'Symbol of the asset.'),
        decimals: Type.Integer({ description: 'Decimals of its base unit.' }),
        mint: Nullable(Text(32, 44, 'Mint, of the first token program; null: the coin.')),
      }),
      { maxItems: 10, description: 'Accepted assets; no other is credited.' },
    ),
    min_amount: Amount('Minimum value that is credited.'),
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
