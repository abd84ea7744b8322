import { operation } from '../kernel/operation.ts';
import { Id, Input } from '../kernel/schema.ts';
import { NftView, nftViewOf, ownToken } from './token.ts';

export const getNft = operation({
  name: 'get_nft',
  title: 'Get an NFT',
  summary: 'Shows one NFT that you had minted, and whether it is on Algorand yet. Free.',
  access: 'sell',
  mode: 'read',
  domain: 'tokens',
  rest: 'GET /api/v1/nft/:nft_id',
  refusals: ['not_found'],
  input: Input({ nft_id: Id('The NFT here. mint_nft answers it.') }),
  output: NftView,

  handle: async (tx, { nft_id: id }) => nftViewOf(await ownToken(tx, { id, kind: 'nft' })),
});
