import { operation } from '../../kernel/operation.ts';
import { Input, List } from '../../kernel/schema.ts';
import { NftView, nftViewOf } from './token.ts';
import { TOKEN_PAGE, tokenPage } from './token_page.ts';

export const listNft = operation({
  name: 'list_nft',
  title: 'List NFTs',
  summary: 'Lists the NFTs that you have minted on Algorand, newest first. Free.',
  phrasings: `
    all NFTs that I minted; my collectibles; list of my NFTs; which NFTs have I made so far;
    overview of minted collectibles; every NFT of mine; NFTs created by me; did all my mints
    succeed; mints that are still pending`,
  access: 'sell',
  mode: 'read',
  rest: 'GET /api/v1/nft',
  input: Input(TOKEN_PAGE),
  output: List('nfts', NftView),

  async handle(tx, asked) {
    const { page, rest } = await tokenPage(tx, 'nft', asked);
    return { nfts: page.map(nftViewOf), ...rest };
  },
});
