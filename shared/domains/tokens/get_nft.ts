import { operation } from '../../kernel/operation.ts';
import { Id, Input } from '../../kernel/schema.ts';
import { NftView, nftViewOf, ownToken } from './token.ts';

export const getNft = operation({
  name: 'get_nft',
  title: 'Get an NFT',
  summary: 'Shows one NFT that you minted, and whether it is on Algorand yet. Free.',
  phrasings: `
    status of my NFT; was the NFT minted; owner and id of a collectible; did the mint succeed;
    look up my NFT by id; token id and app id of my collectible; check the status of the mint;
    is my NFT ready; show NFT; nft deployment progress; check a minted nft; token id of my nft;
    has my NFT been made; where is my NFT; what became of my mint; details of an NFT of mine`,
  access: 'sell',
  mode: 'read',
  rest: 'GET /api/v1/nft/:nft_id',
  refusals: ['not_found'],
  input: Input({ nft_id: Id('The NFT. From mint_nft.') }),
  output: NftView,

  handle: async (tx, { nft_id: id }) => nftViewOf(await ownToken(tx, { id, kind: 'nft' })),
});
