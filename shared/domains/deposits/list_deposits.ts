import { operation } from '../../kernel/operation.ts';
import { paged, pageOf } from '../../kernel/paging.ts';
import { Input, List, OneOf, Paging, Type } from '../../kernel/schema.ts';
import { rows } from '../../platform/rows.ts';
import { DEPOSIT, DEPOSIT_SQL, DEPOSIT_STATUSES, DepositView, viewOf } from './deposit.ts';

export const listDeposits = operation({
  name: 'list_deposits',
  title: 'List deposits',
  summary:
    'Lists the payments into your wallet, newest first, with the reason for any not yet ' +
    'credited. A child agent sees its own. Free.',
  phrasings: `
    has my deposit arrived; payments that I made into the wallet; history of top-ups and
    deposits; is my money still being confirmed; which of my top-ups were credited; money I paid
    in so far; pending deposits; why was my payment rejected; crypto and card payments received;
    did my money arrive; payments received; status of incoming funds; how much have I paid in;
    earlier top-ups; list of funding transactions; money I added; which payments reached you;
    show what I paid in; is my top up pending; did the card payment come through; where is the
    money I sent; payments not credited yet`,
  access: 'read',
  mode: 'read',
  rest: 'GET /api/v1/wallet/deposits',
  input: Input({
    status: Type.Optional(OneOf(DEPOSIT_STATUSES, 'Only this status; all if absent.')),
    ...Paging,
  }),
  output: List('deposits', DepositView),

  async handle({ db, caller }, { status, ...paging }) {
    const page = pageOf(paging);
    // The status is written into the text, not a parameter, so that the planner can use a partial
    // index.
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
