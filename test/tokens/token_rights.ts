import { ADDRESS } from './address.ts';
import type { Right } from '../access/rights/right.ts';

const onlySeller = { buyer: 'not_found', outsider: 'not_found' };

/** Tokens on Algorand and collections on Solana; those of the scene are the seller's. */
export const TOKEN_RIGHTS: Readonly<Record<string, Right>> = {
  issue_asa: {
    route: 'POST /api/v1/asa',
    access: 'sell',
    input: () => ({ name: 'Coin', unit_name: 'COIN', total_supply: 100 }),
  },
  list_asa: { route: 'GET /api/v1/asa', access: 'sell' },
  get_asa: {
    route: 'GET /api/v1/asa/:asset_id',
    access: 'sell',
    input: ({ asset }) => ({ asset_id: asset }),
    answers: onlySeller,
    object: 'asset_id',
  },
  claim_asa: {
    route: 'POST /api/v1/asa/:asset_id/claim',
    access: 'sell',
    input: ({ asset }) => ({ asset_id: asset, address: ADDRESS }),
    answers: { ...onlySeller, seller: 'invalid_transition' },
    object: 'asset_id',
  },
  list_nft: { route: 'GET /api/v1/nft', access: 'sell' },
  mint_nft: {
    route: 'POST /api/v1/nft',
    access: 'sell',
    input: () => ({ uri: 'ipfs://bafy/1.json', address: ADDRESS }),
  },
  get_nft: {
    route: 'GET /api/v1/nft/:nft_id',
    access: 'sell',
    input: ({ nft }) => ({ nft_id: nft }),
    answers: onlySeller,
    object: 'nft_id',
  },
  solana_collection: { route: 'GET /api/v1/solana/collection', access: 'read' },
  create_solana_collection: {
    route: 'POST /api/v1/solana/collection',
    access: 'sell',
    input: () => ({ name: 'Goods', symbol: 'GOODS', uri: 'ipfs://bafy/1.json' }),
    answers: {
      buyer: 'invalid_transition',
      outsider: 'invalid_transition',
      seller: 'invalid_transition',
    },
  },
};
