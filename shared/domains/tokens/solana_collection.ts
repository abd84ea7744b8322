import { operation } from '../../kernel/operation.ts';
import { Amount, Input, Nullable, Output } from '../../kernel/schema.ts';
import { fromUsd, toUsd } from '../../kernel/money.ts';
import { CollectionView, collectionViewOf, Network } from './collection.ts';
import { findTokens, nothingOn } from './token.ts';

export const solanaCollection = operation({
  name: 'solana_collection',
  title: 'Your collection on Solana',
  summary:
    'Shows your collection on Solana, if there is one, with its state, and the fee for one. To ' +
    'make it, use create_solana_collection. Free.',
  phrasings: `
    which Solana collection do the NFTs belong to; address of the NFT collection on Solana; show
    the collection; metaplex group your NFTs belong to; the Solana NFT set of this marketplace;
    collection mint address; which collection verifies the NFTs; SPL collection info; my
    collection on Solana; is my collection created; collection id; status and fee of the Solana
    collection; details of the NFT collection; which collection is mine; what is my collection
    called; do I have a collection; how much does a collection cost; state of my collection;
    tell me about the Solana collection`,
  access: 'read',
  mode: 'read',
  rest: 'GET /api/v1/solana/collection',
  refusals: ['rail_unavailable'],
  input: Input({}),
  output: Output('SolanaCollection', {
    network: Network,
    fee: Amount('Fee for making one.'),
    collection: Nullable(CollectionView),
  }),

  async handle({ db, config: { tokens }, caller }) {
    // Only workers have the key, so this process does not know whether one can be made.
    const { cluster } = tokens;
    if (!cluster) throw nothingOn('solana');
    const network = cluster.isSandbox ? ('sandbox' as const) : ('mainnet-beta' as const);
    // A failed collection is shown until another is requested.
    const [newest] = await findTokens(
      db,
      `t.agent_id = $1 and t.kind = 'collection' order by t.id desc limit 1`,
      [caller.agentId],
    );
    const collection = newest ? collectionViewOf(newest) : null;
    return { network, fee: toUsd(fromUsd(tokens.fees.collection)), collection };
  },
});
