import { timer } from '../../../jobs/timers/timer.ts';
import { Output, Type } from '../../../kernel/schema.ts';
import { execute } from '../../../platform/rows.ts';
import { lockFreeSlots, nextBatch } from './batches.ts';
import { checkProxies } from './check_proxies.ts';

const DELETED_MAX = 5_000;

export const checkDueProxies = timer({
  name: 'check_due_proxies',
  title: 'Check due proxies',
  summary: 'Internal: starts checks of the proxies that are due, and deletes those long dead.',
  everyMs: 15_000,
  output: Output({
    batches: Type.Integer({ description: 'Chains of checks started.' }),
    forgotten: Type.Integer({ description: 'Dead proxies deleted.' }),
  }),

  async handle(tx) {
    let batches = 0;
    for (const slot of await lockFreeSlots(tx.db)) {
      const batch = await nextBatch(tx.db, slot);
      if (!batch) break;
      await tx.enqueue(checkProxies, batch, { cause: `slot/${batch.slot}` });
      batches += 1;
    }
    // A source that still lists one of them adds it again, as a new proxy.
    const forgotten = await execute(
      tx.db,
      `delete from proxy where id in (
         select id from proxy where state = 'dead' and state_since < now() - interval '7 days'
          limit $1 for update skip locked)`,
      [DELETED_MAX],
    );
    return { batches, forgotten };
  },
});
