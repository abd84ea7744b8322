import { operation } from '../../kernel/operation.ts';
import { paged, pageOf } from '../../kernel/paging.ts';
import { Input, List, Output, Paging, Type } from '../../kernel/schema.ts';
import { field, view } from '../../kernel/view.ts';
import { rows } from '../../platform/rows.ts';
import { findNamed, REVIEW_VIEW, reviewViewOf } from './withdrawal.ts';

const WithdrawalToReview = Output('WithdrawalToReview', REVIEW_VIEW);

const WALLET = view({
  chain_id: field.whole('Its chain.'),
  address: field.text('Address of the wallet.'),
  next_nonce: field.whole('Nonce of its next transaction.'),
  fault: field.orNull(field.text('The fault that stops payments.')),
  faulted_at: field.orNull(field.time('Start of the fault.')),
});

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
    wallets: Type.Array(WALLET.schema, { description: 'Wallets, newest first.' }),
  }),

  async handle(tx, paging) {
    const page = pageOf(paging);
    const found = await findNamed(
      tx.db,
      `closed_at is null and (review = 'pending' or needs is not null) and id < $1::bigint
        order by id desc limit $2`,
      [page.before, page.limit + 1],
    );
    const wallets = await rows(tx.db, WALLET.columns, SELECT_WALLETS);
    const { page: withdrawals, rest } = paged(found, page);
    return {
      withdrawals: withdrawals.map((withdrawal) => reviewViewOf(withdrawal, tx)),
      wallets: wallets.map(WALLET.show),
      ...rest,
    };
  },
});

const SELECT_WALLETS = `
  select chain_id, address, next_nonce, coalesce(unanswered, fault) as fault,
         coalesce(unanswered_at, faulted_at) as faulted_at
    from hot_wallet order by id desc`;
