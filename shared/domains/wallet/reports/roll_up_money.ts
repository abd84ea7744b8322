import { runAgain, timer } from '../../../jobs/timers/timer.ts';
import { Output, Type } from '../../../kernel/schema.ts';
import { column, row } from '../../../platform/rows.ts';

const NAME = 'roll_up_money';
/** Maximum transfers that one transaction sums up. */
const TRANSFERS_MAX = 20_000;

/**
 * Sums up the spending and earnings of trees, for reports. These read newer transfers from the
 * ledger, so the interval of this job affects their speed, not their result.
 */
export const rollUpMoney = timer({
  name: NAME,
  title: 'Roll up money',
  summary: 'Internal: adds new transfers to the daily sums that reports show.',
  everyMs: 10_000,
  output: Output({ sums: Type.Integer({ description: 'Daily sums changed.' }) }),

  async handle(tx) {
    const { added, rest } = await row(
      tx.db,
      { added: column.int, rest: column.boolean },
      'select added, rest from roll_up_money($1)',
      [TRANSFERS_MAX],
    );
    if (rest) await runAgain(tx, NAME);
    return { sums: added };
  },
});
