import { operation } from '../../kernel/operation.ts';
import { Input, List } from '../../kernel/schema.ts';
import { AsaView, asaViewOf } from './token.ts';
import { TOKEN_PAGE, tokenPage } from './token_page.ts';

export const listAsa = operation({
  name: 'list_asa',
  title: 'List tokens',
  summary: 'Lists the fungible assets that you have issued on Algorand, newest first. Free.',
  phrasings: `
    all tokens that I issued; my coins and assets on Algorand; list of my tokens; tokens I have
    created so far; all my ASAs; which coins did I launch; my issued assets; my tokens; tokens
    created by me; overview of issued coins; which assets have I issued; show all my coins;
    every token of mine; which tokens do I own`,
  access: 'sell',
  mode: 'read',
  rest: 'GET /api/v1/asa',
  input: Input(TOKEN_PAGE),
  output: List('assets', AsaView),

  async handle(tx, asked) {
    const { page, rest } = await tokenPage(tx, 'asa', asked);
    return { assets: page.map(asaViewOf), ...rest };
  },
});
