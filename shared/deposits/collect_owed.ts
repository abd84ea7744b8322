import { isAttemptDue, sweep } from '../jobs/sweep.ts';
import { operation } from '../kernel/operation.ts';
import { Input, Output, Type } from '../kernel/schema.ts';
import { findOwing } from '../ledger/holdings.ts';
import { lockTreasuries } from '../ledger/ledger.ts';
import { payOwed } from './owed.ts';

const NAME = 'collect_owed';
const TREES_MAX = 200;

/**
 * Takes what trees owe from cash that came in otherwise than by a deposit. Until then they cannot
 * spend it.
 */
export const collectOwed = operation({
  name: NAME,
  title: 'Collect what is owed',
  summary: 'Internal: pays what wallets owe for reversed deposits from the cash that they have.',
  access: 'operator',
  mode: 'job',
  domain: 'deposits',
  queue: 'timers',
  everyMs: 5_000,
  input: Input({}),
  output: Output({
    collected: Type.Integer({ description: 'From how many wallets.' }),
    failed: Type.Integer({ description: 'From how many it failed; see list_faults.' }),
  }),

  async handle(tx) {
    const found = await findOwing(tx.db, isAttemptDue(NAME, 'treasury.id'), TREES_MAX);
    await lockTreasuries(tx.db, found);
    const { done, failed } = await sweep(tx, {
      operation: NAME,
      items: found.map((id) => ({ id })),
      async work(trees) {
        for (const { id } of trees) await payOwed(tx, id);
      },
    });
    return { collected: done, failed };
  },
});
