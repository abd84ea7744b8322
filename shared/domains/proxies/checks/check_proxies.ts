import { operation } from '../../../kernel/operation.ts';
import { Id, Input, Output, Type } from '../../../kernel/schema.ts';
import { column, rows } from '../../../platform/rows.ts';
import { freeSlot, lockSlot, nextBatch } from './batches.ts';
import { record } from './record.ts';

const input = Input({
  slot: Id('The chain that the batch belongs to.'),
  batch: Type.Integer({ minimum: 1, maximum: 2 ** 53 - 1, description: 'Number of the batch.' }),
});

/** Each judge that does not answer takes the time of a check. Less than the limit of a batch. */
const GATHER_MS = 90_000;

/**
 * Checks one batch of a slot. The slot's next batch begins when it is done, so the pool is checked
 * as fast as the workers can, and no faster.
 */
export const checkProxies = operation({
  name: 'check_proxies',
  title: 'Check a batch of proxies',
  summary: 'Internal: calls the judge through each proxy of a batch and records the results.',
  access: 'operator',
  mode: 'job',
  gatherMs: GATHER_MS,
  queue: 'probes', // Sixteen chains of checks would delay any other job of the same queue.
  input,
  output: Output({
    checked: Type.Integer({ description: 'Proxies whose check was recorded.' }),
    passed: Type.Integer({ description: 'Proxies that work.' }),
    doubted: Type.Boolean({ description: 'The fault may be of our own network.' }),
  }),

  prepare: (tx, { slot, batch }) =>
    rows(
      tx.db,
      { id: column.id, ip_port: column.text },
      `select id, ip_port from proxy where id = any (
         select unnest(proxy_ids) from proxy_check_slot where slot = $1 and batch = $2)`,
      [slot, batch],
    ),

  async gather({ proxies }, _batch, _call, due) {
    if (due.length === 0) return [];
    const results = await proxies.check(due.map(({ ip_port: address }) => address));
    return results && due.map(({ id }, n) => ({ id, result: results[n]! }));
  },

  async handle(tx, batch, checks) {
    // The slot has got another batch, because this one took too long.
    if (!(await lockSlot(tx.db, batch))) return { checked: 0, passed: 0, doubted: false };
    if (!checks) {
      // Nothing is recorded; the timer starts another attempt.
      await freeSlot(tx.db, batch);
      return { checked: 0, passed: 0, doubted: true };
    }
    const tally = await record(tx.db, tx.secrets, checks);
    const next = await nextBatch(tx.db, batch.slot);
    if (next) await tx.enqueue(itself, next, { cause: 'next' });
    return tally;
  },
});

const itself = { name: 'check_proxies', queue: 'probes', input } as const;
