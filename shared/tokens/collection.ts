import { Id, Nullable, OneOf, Output, Text } from '../kernel/schema.ts';
import { STATE, stateOf, type Token } from './token.ts';

const NETWORKS = ['mainnet-beta', 'sandbox'] as const;

export const Network = OneOf(NETWORKS, 'Of Solana. sandbox: one that is worth nothing.');

export const CollectionView = Output('Collection', {
  collection_id: Id('It here.'),
  mint: Nullable(Text(32, 44, 'Its address on Solana; null until deployed.')),
  name: Text(1, 32, 'Its name.'),
  symbol: Text(1, 8, 'Its short name.'),
  uri: Text(1, 256, 'What describes it.'),
  ...STATE,
  network: Network,
  tx_id: Nullable(Text(64, 88, 'The transaction that made it; null: none has.')),
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
