import { operation } from '../../kernel/operation.ts';
import { paged, pageOf } from '../../kernel/paging.ts';
import { Input, List, OneOf, Paging, Type } from '../../kernel/schema.ts';
import { AsaView, asaViewOf, findTokens, STATUSES } from './token.ts';

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
  input: Input({
    deploy_status: Type.Optional(OneOf(STATUSES, 'Only this status; all if absent.')),
    ...Paging,
  }),
  output: List('assets', AsaView),

  async handle(tx, { deploy_status = null, ...paging }) {
    const page = pageOf(paging);
    const found = await findTokens(
      tx.db,
      `t.agent_id = $1 and t.id < $2::bigint and t.kind = 'asa'
         and t.status = coalesce($3, t.status)
       order by t.id desc limit $4`,
      [tx.caller.agentId, page.before, deploy_status, page.limit + 1],
    );
    const { page: assets, rest } = paged(found, page);
    return { assets: assets.map(asaViewOf), ...rest };
  },
});
