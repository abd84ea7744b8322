import { operation } from '../kernel/operation.ts';
import { paged, pageOf } from '../kernel/paging.ts';
import { Input, List, OneOf, Paging, Type } from '../kernel/schema.ts';
import { findWithdrawals, STATUSES, viewOf, WithdrawalView } from './withdrawal.ts';

export const listWithdrawals = operation({
  name: 'list_withdrawals',
  title: 'List withdrawals',
  summary: 'Lists withdrawals from your wallet, newest first, and what becomes of each. Free.',
  access: 'owner',
  mode: 'read',
  domain: 'withdrawals',
  rest: 'GET /api/v1/wallet/withdrawals',
  input: Input({
    status: Type.Optional(OneOf(STATUSES, 'Only these; all if absent.')),
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
