import { operation } from '../../kernel/operation.ts';
import { paged, pageOf } from '../../kernel/paging.ts';
import { Input, List, Nullable, Output, Paging, Time, Type } from '../../kernel/schema.ts';
import { column, nullable, rows } from '../../platform/rows.ts';
import { findNamed, REVIEW_VIEW, reviewViewOf } from './withdrawal.ts';

const WithdrawalToReview = Output('WithdrawalToReview', REVIEW_VIEW);

export const withdrawalsToReview = operation({
  name: 'withdrawals_to_review',
  title: 'List withdrawals to review',
  summary:
    'Operators: lists withdrawals that wait for a decision or have a problem to resolve, ' +
    'newest first, and the wallets that pay, with their faults.',
  access: 'operator',
  mode: 'read',
  rest: 'GET /api/v1/admin/withdrawals',
  bindings: { tool: false },
  input: Input(Paging),
  output: Output('WithdrawalsToReview', {
    ...List('withdrawals', WithdrawalToReview).properties,
    wallets: Type.Array(
      Output({
        chain_id: Type.Integer({ description: 'Its chain.' }),
        address: Type.String({ description: 'Address of the wallet.' }),
        next_nonce: Type.Integer({ description: 'Nonce of its next transaction.' }),
        fault: Nullable(Type.String({ description: 'The fault that stops payments.' })),
        faulted_at: Nullable(Time('Start of the fault.')),
      }),
      { description: 'Wallets, newest first.' },
    ),
  }),

  async handle(tx, paging) {
    const page = pageOf(paging);
    const found = await findNamed(
      tx.db,
      `closed_at is null and (review = 'pending' or needs is not null) and id < $1::bigint
        order by id desc limit $2`,
      [page.before, page.limit + 1],
    );
    const wallets = await rows(tx.db, WALLET, SELECT_WALLETS);
    const { page: withdrawals, rest } = paged(found, page);
    return {
      withdrawals: withdrawals.map((withdrawal) => reviewViewOf(withdrawal, tx)),
      wallets: wallets.map(({ faulted_at, ...wallet }) => ({
        ...wallet,
        faulted_at: faulted_at?.toISOString() ?? null,
      })),
      ...rest,
    };
  },
});

const WALLET = {
  chain_id: column.id,
  address: column.text,
  next_nonce: column.int,
  fault: nullable(column.text),
  faulted_at: nullable(column.time),
};
const SELECT_WALLETS = `
  select chain_id, address, next_nonce, coalesce(unanswered, fault) as fault,
         coalesce(unanswered_at, faulted_at) as faulted_at
    from hot_wallet order by id desc`;
