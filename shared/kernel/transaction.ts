import type { EntityManager } from 'typeorm';

import { resumeDeferredJob } from '../jobs/deferred.ts';
import {
  finishJobs,
  fingerprintOf,
  insertJobs,
  newJobId,
  PURPOSE,
  type NewJob,
} from '../jobs/jobs.ts';
import { batchesOf } from '../jobs/queue.ts';
import { transact } from '../platform/database.ts';
import { holderOf } from './call.ts';
import type { Context } from './context.ts';
import type { AnyOperation, Call, Tx } from './operation.ts';
import type { QueueName } from './terms/queue_names.ts';

interface QueuedJob extends Pick<NewJob, 'id' | 'operation' | 'runAt'> {
  readonly queue: QueueName;
  readonly isSetBased: boolean;
}

/**
 * Runs `work` in one transaction, and pushes the jobs that it started once that is committed. A
 * transaction that PostgreSQL breaks off runs again from nothing.
 */
export async function inTransaction<T>(
  context: Context,
  call: Call,
  work: (tx: Tx) => Promise<T>,
  options: { readOnly?: boolean } = {},
): Promise<T> {
  let started: QueuedJob[] = [];
  const result = await context.limiters.transactions.run(holderOf(call), () =>
    transact(
      context.database,
      (db) => {
        started = [];
        return work(txOf(context, db, call, started));
      },
      options,
    ),
  );
  // At the same time: while Redis is frozen, each push ends only after a second.
  const immediate = started.filter(({ runAt }) => !runAt);
  await Promise.all(batchesOf(immediate).map((batch) => context.queue.push(batch)));
  return result;
}

function txOf(context: Context, db: EntityManager, call: Call, started: QueuedJob[]): Tx {
  async function start(
    next: Pick<AnyOperation, 'name' | 'queue' | 'handleMany'>,
    jobs: readonly { input: object; cause: string }[],
    delayMs = 0,
  ): Promise<void> {
    // From this moment, not from call.now: the dispatcher relies on it that a transaction
    // schedules nothing before its own start.
    const now = context.clock.now();
    const rows = jobs.map(({ input, cause }) => ({
      id: newJobId(now),
      operation: next.name,
      queue: next.queue!,
      isSetBased: next.handleMany !== undefined,
      agentId: call.caller.agentId,
      rootId: call.caller.rootId,
      input,
      hash: context.secrets.hash(PURPOSE, fingerprintOf(next.name, input)).hash,
      requestId: call.requestId,
      cause: `${call.key}/${cause}`,
      runAt: delayMs > 0 ? new Date(now.getTime() + delayMs) : undefined,
    }));
    const inserted = await insertJobs(db, rows);
    // Left out silently, it would be missed only by the job that waits for it, for ever.
    const dropped = rows.find(({ id }) => !inserted.has(id));
    if (dropped) throw new Error(`${dropped.cause} has started a job before`);
    started.push(...rows);
  }

  const tx: Tx = {
    ...call,
    db,
    secrets: context.secrets,
    config: context.config,
    log: context.log,
    operations: context.operations,
    enqueue: (next, input, { cause, delayMs }) => start(next, [{ input, cause }], delayMs),
    enqueueAll: (next, inputs, { cause, delayMs }) =>
      start(
        next,
        inputs.map((input, n) => ({ input, cause: `${cause}/${n}` })),
        delayMs,
      ),
    async rehydrate(operation, stored) {
      const op = context.operations.get(operation);
      return (await op?.rehydrate?.(db, stored)) ?? stored;
    },
    async resumeJob(id) {
      const operation = await resumeDeferredJob(db, id);
      if (operation === undefined) return false;
      tx.wakeJob({ id, operation });
      return true;
    },
    wakeJob({ id, operation }) {
      const op = context.operations.get(operation); // A newer process may know more of them.
      if (!op) return;
      const isSetBased = op.handleMany !== undefined;
      started.push({ id, operation, queue: op.queue!, isSetBased });
    },
    async refuseJob({ id, operation, requestId }, why) {
      const op = context.operations.get(operation);
      await op?.onRefuse?.(tx, { id, code: why.code });
      await finishJobs(db, [context.refusalAnswer(id, why, requestId)]);
    },
  };
  return tx;
}
