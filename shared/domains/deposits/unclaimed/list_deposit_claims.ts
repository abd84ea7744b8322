import { operation } from '../../../kernel/operation.ts';
import { paged, pageOf } from '../../../kernel/paging.ts';
import { Input, Paging } from '../../../kernel/schema.ts';
import { claimsWhere, ClaimList } from './deposit_claims.ts';

export const listDepositClaims = operation({
  name: 'list_deposit_claims',
  title: 'List claims on payments',
  summary:
    'Lists your claims on payments that had no reference, newest first, and what operators ' +
    'decided. A child agent sees its own. Free.',
  phrasings: `
    what became of my claim on a payment; has support credited my transaction; claims on lost
    deposits; state of my missing deposit claim; did operators accept my claim; why was my claim
    on a payment refused`,
  access: 'read',
  mode: 'read',
  rest: 'GET /api/v1/wallet/deposits/claims',
  input: Input(Paging),
  output: ClaimList,

  async handle({ db, caller: { agentId, rootId } }, paging) {
    const page = pageOf(paging);
    const seen = await claimsWhere(
      db,
      `c.root_id = $1 and ($2 = $1 or c.agent_id = $2) and c.id < $3::bigint
       order by c.id desc limit $4`,
      [rootId, agentId, page.before, page.limit + 1],
    );
    const { page: claims, rest } = paged(seen, page, 'claim_id');
    return { claims, ...rest };
  },
});
