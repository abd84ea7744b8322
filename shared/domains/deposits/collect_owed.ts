import { isAttemptDue, sweep } from '../../jobs/timers/sweep.ts';
import { timer } from '../../jobs/timers/timer.ts';
import { Output, Type } from '../../kernel/schema.ts';
import { findOwing } from '../ledger/holdings.ts';
import { lockTreasuries } from '../ledger/ledger.ts';
import { payDebt } from './debt.ts';

const NAME = 'collect_owed';
const TREES_MAX = 200;

/**
 * Pays what trees owe from cash that came in by other ways than deposits, which pay it at once.
 * Until then they cannot spend that cash.
 */
export const collectOwed = timer({
  name: NAME,
  title: 'Collect what is owed',
  summary: 'Internal: pays debts of wallets for reversed deposits from their cash.',
  everyMs: 5_000,
  output: Output({
    collected: Type.Integer({ description: 'Number of wallets that paid.' }),
    failed: Type.Integer({ description: 'Number of wallets that failed; see list_faults.' }),
  }),

  async handle(tx) {
    const found = await findOwing(tx.db, isAttemptDue(NAME, 'treasury.id'), TREES_MAX);
    await lockTreasuries(tx.db, found);
    const { done, failed } = await sweep(tx, {
      operation: NAME,
      items: found.map((id) => ({ id })),
      async work(trees) {
        for (const { id } of trees) await payDebt(tx, id);
      },
    });
    return { collected: done, failed };
  },
});
