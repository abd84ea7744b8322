import { operation } from '../../kernel/operation.ts';
import { Input, Output, Type } from '../../kernel/schema.ts';
import { column, row } from '../../platform/rows.ts';

const NAME = 'roll_up_money';
/** Ids of transfers that one transaction sums up. */
const TRANSFERS_MAX = 20_000;

/**
 * Sums up what trees spent and earned, for reports. These read what is newer from the ledger, so
 * how often it runs decides how long they take and not what they say.
 */
export const rollUpMoney = operation({
  name: NAME,
  title: 'Roll up money',
  summary: 'Internal: adds new transfers to the daily sums that reports show.',
  access: 'operator',
  mode: 'job',
  domain: 'wallet',
  queue: 'timers',
  everyMs: 10_000,
  input: Input({}),
  output: Output({ sums: Type.Integer({ description: 'How many daily sums have changed.' }) }),

  async handle(tx) {
    const { added, rest } = await row(
      tx.db,
      { added: column.int, rest: column.boolean },
      'select added, rest from roll_up_money($1)',
      [TRANSFERS_MAX],
    );
    if (rest) await tx.enqueue(itself, {}, { cause: 'rest' });
    return { sums: added };
  },
});

/** It starts itself again for the transfers that are too many for one transaction. */
const itself = { name: NAME, queue: 'timers', input: Input({}) } as const;
