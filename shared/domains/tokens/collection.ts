import { Id, Nullable, OneOf, Output, Text } from '../../kernel/schema.ts';
import { STATE, stateOf, type Token } from './token.ts';

const NETWORKS = ['mainnet-beta', 'sandbox'] as const;

export const Network = OneOf(NETWORKS, 'Network of Solana. sandbox: without value.');

export const CollectionView = Output('Collection', {
  collection_id: Id('The collection.'),
  mint: Nullable(Text(32, 44, 'Its address on Solana; null until deployed.')),
  name: Text(1, 32, 'Full name.'),
  symbol: Text(1, 8, 'Short name.'),
  uri: Text(1, 256, 'Its metadata.'),
  ...STATE,
  network: Network,
  tx_id: Nullable(Text(64, 88, 'Transaction that made it; null: none yet.')),
});

export const collectionViewOf = (token: Token) => ({
  collection_id: token.id,
  mint: token.mint,
  name: token.name!,
  symbol: token.unit_name!,
  uri: token.uri!,
  ...stateOf(token),
  network: token.network as (typeof NETWORKS)[number],
  tx_id: token.tx_id,
});
