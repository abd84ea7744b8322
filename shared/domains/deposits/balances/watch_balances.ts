import { timer } from '../../../jobs/timers/timer.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { Output, Type } from '../../../kernel/schema.ts';
import { column, rows } from '../../../platform/rows.ts';
import { type ChainRail } from '../chain/networks.ts';
import { chainsOn } from '../chain/recipients.ts';
import { SHARED_PAGE } from './pages.ts';
import { readBalances } from './read_balances.ts';

/** Seconds after which a reading counts as ended, whatever became of its job. */
const READ_SECONDS = 180;

/** Starts one job for each network. */
export const watchBalances = timer({
  name: 'watch_balances',
  title: 'Watch balances',
  summary: 'Internal: starts the comparison of balances on networks with recorded payments.',
  everyMs: 60_000,
  output: Output({ networks: Type.Integer({ description: 'Number of networks.' }) }),

  async handle(tx) {
    const rails = await takeIdle(tx);
    for (const rail of rails) {
      await tx.enqueue(readBalances, { rail }, { cause: `balances:${rail}` });
    }
    return { networks: rails.length };
  },
});

/** Takes the networks that no job reads now. */
async function takeIdle({ db, config }: Tx): Promise<readonly ChainRail[]> {
  const on = chainsOn(config);
  if (on.length === 0) return [];
  const taken = await rows(
    db,
    { network: column.text },
    `insert into chain_balance_page as known (network, page, busy_until)
     select network, ${SHARED_PAGE}, now() + interval '${READ_SECONDS} s'
       from unnest($1::text[]) network
     on conflict (network, page) do update set busy_until = excluded.busy_until
      where known.busy_until is null or known.busy_until < now()
     returning network`,
    [on.map(({ network }) => network)],
  );
  const idle = new Set(taken.map(({ network }) => network));
  return on.filter(({ network }) => idle.has(network)).map(({ rail }) => rail);
}
