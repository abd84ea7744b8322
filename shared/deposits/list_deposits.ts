import { operation } from '../kernel/operation.ts';
import { paged, pageOf } from '../kernel/paging.ts';
import { Input, List, OneOf, Paging, Type } from '../kernel/schema.ts';
import { rows } from '../platform/rows.ts';
import { DEPOSIT, DEPOSIT_SQL, DEPOSIT_STATUSES, DepositView, viewOf } from './deposit.ts';

export const listDeposits = operation({
  name: 'list_deposits',
  title: 'List deposits',
  summary:
    'Lists what has come into your wallet, by every way, newest first, and why a payment is not ' +
    'credited yet. A child agent sees its own. Free.',
  access: 'read',
  mode: 'read',
  domain: 'deposits',
  rest: 'GET /api/v1/wallet/deposits',
  input: Input({
    status: Type.Optional(OneOf(DEPOSIT_STATUSES, 'Only these; all if absent.')),
    ...Paging,
  }),
  output: List('deposits', DepositView),

  async handle({ db, caller }, { status, ...paging }) {
    const page = pageOf(paging);
    // What is asked for stands in the text as itself, so that the index of the few of it is known
    // to do.
    const isSeen =
      caller.agentId === caller.rootId ? 'root_id = $2' : 'agent_id = $2 and agent_id <> root_id';
    const isAsked = DEPOSIT_STATUSES.find((one) => one === status);
    const found = await rows(
      db,
      DEPOSIT,
      `select ${DEPOSIT_SQL} from deposit
        where root_id = $1 and ${isSeen} and id < $3::bigint
          ${isAsked ? `and status = '${isAsked}'` : ''}
        order by id desc limit $4`,
      [caller.rootId, caller.agentId, page.before, page.limit + 1],
    );
    const { page: deposits, rest } = paged(found, page);
    return { deposits: deposits.map(viewOf), ...rest };
  },
});
