import { operation } from '../../kernel/operation.ts';
import { paged, pageOf } from '../../kernel/paging.ts';
import { Input, List, OneOf, Paging, Type } from '../../kernel/schema.ts';
import { findWithdrawals, STATUSES, viewOf, WithdrawalView } from './withdrawal.ts';

export const listWithdrawals = operation({
  name: 'list_withdrawals',
  title: 'List withdrawals',
  summary: 'Lists withdrawals from your wallet with their status, newest first. Free.',
  phrasings: `
    did my payout go through; status and history of payouts; money that I took out; where is my
    payout; past cash-outs; pending withdrawals; when did I withdraw; my payouts; status of a
    withdrawal; where is my withdrawal; earlier payouts; history of cash-outs; was I paid out;
    withdrawals so far; when do I get my money; is my cash-out done; what have I taken out; did
    you send my money; payout status; all my withdrawals`,
  access: 'owner',
  mode: 'read',
  rest: 'GET /api/v1/wallet/withdrawals',
  input: Input({
    status: Type.Optional(OneOf(STATUSES, 'Only this status; all if absent.')),
    ...Paging,
  }),
  output: List('withdrawals', WithdrawalView),

  async handle(tx, { status = null, ...paging }) {
    const page = pageOf(paging);
    const found = await findWithdrawals(
      tx.db,
      `root_id = $1 and id < $2::bigint and status = coalesce($3, status)
        order by id desc limit $4`,
      [tx.caller.rootId, page.before, status, page.limit + 1],
    );
    const { page: withdrawals, rest } = paged(found, page);
    return { withdrawals: withdrawals.map((withdrawal) => viewOf(withdrawal, tx)), ...rest };
  },
});
