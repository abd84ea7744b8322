import { paged, pageOf } from '../../kernel/paging.ts';
import { OneOf, Paging, Type, type Static } from '../../kernel/schema.ts';
import type { Tx } from '../../kernel/tx.ts';
import { findTokens, STATUSES, type Token } from './token.ts';

/** The fields that choose a page of tokens. */
export const TOKEN_PAGE = {
  deploy_status: Type.Optional(OneOf(STATUSES, 'Only this status; all if absent.')),
  ...Paging,
};
const Asked = Type.Object(TOKEN_PAGE);

/** Finds a page of the caller's tokens of a kind, newest first. */
export async function tokenPage(
  { db, caller }: Tx,
  kind: Token['kind'],
  { deploy_status, ...paging }: Static<typeof Asked>,
) {
  const page = pageOf(paging);
  const found = await findTokens(
    db,
    `t.agent_id = $1 and t.id < $2::bigint and t.kind = $3 and t.status = coalesce($4, t.status)
     order by t.id desc limit $5`,
    [caller.agentId, page.before, kind, deploy_status ?? null, page.limit + 1],
  );
  return paged(found, page);
}
