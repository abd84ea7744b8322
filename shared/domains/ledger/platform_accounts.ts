import { column, oneOf, row, rows, type Database } from '../../platform/rows.ts';
import { RAILS, type Funds } from './ledger.ts';
import type { Micros } from '../../kernel/money.ts';

/** Balance of an account of the platform; negative: money it gave. */
export interface AccountBalance extends Funds {
  /** The account, as `asset of base`. */
  readonly name: string;
}

/** All money by account. A transfer only moves money, so the sum is zero. */
interface Books {
  readonly treasuries: Funds & { readonly count: number };
  /** Money that trees have paid for open orders, tasks and other objects. */
  readonly escrow: Funds;
  /** Debts of trees, as negative amounts. */
  readonly receivable: { readonly cash: Micros; readonly count: number };
  readonly accounts: readonly AccountBalance[];
}

const TREES = {
  count: column.int,
  owing: column.int,
  credit: column.micros,
  cash: column.micros,
  escrow_credit: column.micros,
  escrow_cash: column.micros,
  owed: column.micros,
};
const ACCOUNT = {
  account: oneOf<'asset' | 'revenue' | 'expense' | 'equity' | 'unclaimed'>(),
  account_id: column.int,
  credit: column.micros,
  cash: column.micros,
};

/** Reads the books. Needs a transaction with one snapshot, or the parts may disagree. */
export async function findBooks(db: Database): Promise<Books> {
  const trees = await row(
    db,
    TREES,
    `select count(*)::int as count, count(*) filter (where owed > 0)::int as owing,
            coalesce(sum(credit), 0)::bigint as credit, coalesce(sum(cash), 0)::bigint as cash,
            coalesce(sum(escrow_credit), 0)::bigint as escrow_credit,
            coalesce(sum(escrow_cash), 0)::bigint as escrow_cash,
            coalesce(sum(owed), 0)::bigint as owed
       from ledger.treasury`,
  );
  // Read first, so that the next statement is planned for the newer rows, not the whole ledger.
  const { id } = await row(db, { id: column.text }, 'select id from money_watermark');
  const accounts = await rows(
    db,
    ACCOUNT,
    `select account, account_id, sum(credit)::bigint as credit, sum(cash)::bigint as cash
       from (select account, account_id, credit, cash from account_sum
             union all
             select from_account, from_id, -credit, -cash from ledger.transfer
              where id > $1 and from_root is null
             union all
             select to_account, to_id, credit, cash from ledger.transfer
              where id > $1 and to_root is null) moved
      group by account, account_id order by account, account_id`,
    [id],
  );
  return {
    treasuries: { count: trees.count, credit: trees.credit, cash: trees.cash },
    escrow: { credit: trees.escrow_credit, cash: trees.escrow_cash },
    receivable: { count: trees.owing, cash: -trees.owed },
    accounts: accounts.map(({ account, account_id, ...funds }) => ({
      name: nameOf(account, account_id),
      ...funds,
    })),
  };
}

const EARNED_BY = ['fees', 'proxies', 'email validations', 'tokens'];

function nameOf(account: string, id: number): string {
  if (account === 'asset' || account === 'unclaimed') return `${account}: ${RAILS[id - 1] ?? id}`;
  if (account === 'revenue') return `revenue: ${EARNED_BY[id - 1] ?? id}`;
  return account;
}
