import { operation } from '../kernel/operation.ts';
import { Amount, Input, Nullable, Output } from '../kernel/schema.ts';
import { fromUsd, toUsd } from '../ledger/money.ts';
import { CollectionView, collectionViewOf, Network } from './collection.ts';
import { findTokens, nothingOn } from './token.ts';

export const solanaCollection = operation({
  name: 'solana_collection',
  title: 'Your collection on Solana',
  summary:
    'Shows your collection on Solana and whether it is there yet, or that you have none, and what ' +
    'making one costs. Free.',
  access: 'read',
  mode: 'read',
  domain: 'tokens',
  rest: 'GET /api/v1/solana/collection',
  core: true,
  refusals: ['rail_unavailable'],
  input: Input({}),
  output: Output('SolanaCollection', {
    network: Network,
    fee: Amount('What making one takes from the wallet.'),
    collection: Nullable(CollectionView),
  }),

  async handle({ db, config: { tokens }, caller }) {
    // The key is in workers alone, so whether one can be made is not known here.
    const { cluster } = tokens;
    if (!cluster) throw nothingOn('solana');
    const network = cluster.isSandbox ? ('sandbox' as const) : ('mainnet-beta' as const);
    // One that failed is shown until another is asked for.
    const [newest] = await findTokens(
      db,
      `t.agent_id = $1 and t.kind = 'collection' order by t.id desc limit 1`,
      [caller.agentId],
    );
    const collection = newest ? collectionViewOf(newest) : null;
    return { network, fee: toUsd(fromUsd(tokens.fees.collection)), collection };
  },
});
