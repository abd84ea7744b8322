import { timer } from '../../../jobs/timers/timer.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { Output, Type } from '../../../kernel/schema.ts';
import { column, rows } from '../../../platform/rows.ts';
import { LOOK_SECONDS } from './await_deposit.ts';
import { confirmDeposit } from './confirm_deposit.ts';
import { searchAgain, takeDueAgain } from '../providers/search_again.ts';
import { chainsOn } from './recipients.ts';
import { SEARCH_SECONDS, searchChain } from './search_chain.ts';

const DEPOSITS_MAX = 100;

/** Starts one job for each network, so that one that does not answer delays no other. */
export const watchChains = timer({
  name: 'watch_chains',
  title: 'Watch the chains',
  summary: 'Internal: starts searches of networks and checks of waiting deposits.',
  everyMs: 5_000,
  output: Output({
    networks: Type.Integer({ description: 'Number of searches started.' }),
    deposits: Type.Integer({ description: 'Number of deposits checked again.' }),
  }),

  async handle(tx) {
    const rails = await takeIdle(tx);
    for (const rail of rails) {
      await tx.enqueue(searchChain, { rail }, { cause: `search:${rail}` });
    }
    for (const rail of await takeDueAgain(tx)) {
      await tx.enqueue(searchAgain, { rail }, { cause: `again:${rail}` });
    }
    const deposits = await takeDue(tx);
    for (const deposit_id of deposits) {
      await tx.enqueue(confirmDeposit, { deposit_id }, { cause: `look:${deposit_id}` });
    }
    return { networks: rails.length, deposits: deposits.length };
  },
});

/** Takes the networks that no job searches now. */
async function takeIdle({ db, config }: Tx) {
  const on = chainsOn(config);
  if (on.length === 0) return [];
  const taken = await rows(
    db,
    { network: column.text },
    `insert into chain_cursor as known (network, rail, busy_until)
     select *, now() + interval '${SEARCH_SECONDS} s' from unnest($1::text[], $2::text[])
     on conflict (network) do update set busy_until = excluded.busy_until
      where known.busy_until is null or known.busy_until < now()
     returning network`,
    [on.map(({ network }) => network), on.map(({ rail }) => rail)],
  );
  const idle = new Set(taken.map(({ network }) => network));
  return on.filter(({ network }) => idle.has(network)).map(({ rail }) => rail);
}

/** Takes due deposits. The longer one has waited, the less often it is checked. */
async function takeDue({ db }: Tx): Promise<readonly number[]> {
  const due = await rows(
    db,
    { id: column.id },
    `update deposit
        set look_at = now() + least(greatest(now() - created_at, interval '${LOOK_SECONDS} s'),
                                    interval '10 min')
      where id in (select id from deposit where look_at <= now() order by look_at limit $1
                      for update skip locked)
     returning id`,
    [DEPOSITS_MAX],
  );
  return due.map(({ id }) => id);
}
