import { operation } from '../../kernel/operation.ts';
import { Input, Output, Type } from '../../kernel/schema.ts';
import { execute } from '../../platform/rows.ts';
import { lockFreeSlots, nextBatch } from './batches.ts';
import { checkProxies } from './check_proxies.ts';

const DELETED_MAX = 5_000;

export const checkDueProxies = operation({
  name: 'check_due_proxies',
  title: 'Check due proxies',
  summary: 'Internal: starts checks of the proxies that are due, and forgets those long dead.',
  access: 'operator',
  mode: 'job',
  domain: 'proxies',
  queue: 'timers',
  everyMs: 15_000,
  input: Input({}),
  output: Output({
    batches: Type.Integer({ description: 'Chains of checks that were started.' }),
    forgotten: Type.Integer({ description: 'Dead proxies that were deleted.' }),
  }),

  async handle(tx) {
    let batches = 0;
    for (const slot of await lockFreeSlots(tx.db)) {
      const batch = await nextBatch(tx.db, slot);
      if (!batch) break;
      await tx.enqueue(checkProxies, batch, { cause: `slot/${batch.slot}` });
      batches += 1;
    }
    // A source that still lists one of them adds it again, as unproven as any.
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
