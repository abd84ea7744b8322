import type { DataSource, EntityManager } from 'typeorm';

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
import { rowOfTrace } from '../platform/telemetry/traceparent.ts';
import { tracing } from '../platform/telemetry/tracing.ts';
import { holderOf } from '../kernel/call.ts';
import { PLATFORM } from '../kernel/caller.ts';
import type { Context } from '../composition/context.ts';
import type { TObject } from '../kernel/schema.ts';
import type { Call, Successor, Tx } from '../kernel/tx.ts';
import type { QueueName } from '../kernel/terms/queue_names.ts';

interface QueuedJob extends Pick<NewJob, 'id' | 'operation' | 'runAt'> {
  readonly queue: QueueName;
  readonly isSetBased: boolean;
}

interface Options {
  readonly readOnly?: boolean;
  /** For a read that may be some seconds old: a standby may answer it. */
  readonly stale?: boolean;
}

/**
 * Runs `work` in one transaction, and pushes the jobs that it started after COMMIT. A transaction
 * that PostgreSQL aborts is run again from the start. What fails at a standby, or is refused there,
 * is asked of the primary, so nothing that exists is missing because it is new.
 */
export async function inTransaction<T>(
  context: Context,
  call: Call,
  work: (tx: Tx) => Promise<T>,
  { readOnly = false, stale = false }: Options = {},
): Promise<T> {
  let started: QueuedJob[] = [];
  const standby = stale ? context.standby?.current() : undefined;
  const within = (database: DataSource, attemptsMax?: number) =>
    transact(
      database,
      (db) => {
        started = [];
        return work(txOf(context, db, call, started));
      },
      { readOnly, ...(attemptsMax && { attemptsMax }) },
    );
  const result = await context.limiters.transactions.run(holderOf(call), () =>
    standby ? within(standby, 1).catch(() => within(context.database)) : within(context.database),
  );
  // Pushed in parallel: while Redis is frozen, each push takes a second to fail.
  const immediate = started.filter(({ runAt }) => !runAt);
  await Promise.all(batchesOf(immediate).map((batch) => context.queue.push(batch)));
  return result;
}

function txOf(context: Context, db: EntityManager, call: Call, started: QueuedJob[]): Tx {
  async function start(
    next: Successor<TObject>,
    jobs: readonly { input: object; cause: string; delayMs: number | undefined }[],
  ): Promise<void> {
    // The present time, not call.now: the dispatcher relies on a transaction scheduling nothing
    // before its own start.
    const now = context.clock.now();
    // A delayed job may run after days: it is in no trace.
    const trace = rowOfTrace(tracing());
    const rows = jobs.map(({ input, cause, delayMs = 0 }) => ({
      id: newJobId(now),
      operation: next.name,
      queue: next.queue!,
      isSetBased: next.batch !== undefined,
      agentId: call.caller.agentId,
      rootId: call.caller.rootId,
      input,
      hash: context.secrets.hash(PURPOSE, fingerprintOf(next.name, input)).hash,
      requestId: call.requestId,
      cause: `${call.key}/${cause}`,
      trace: delayMs > 0 ? undefined : trace,
      runAt: delayMs > 0 ? new Date(now.getTime() + delayMs) : undefined,
    }));
    const inserted = await insertJobs(db, rows);
    // A fault, because the job that waits for a silently dropped one would wait for ever.
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
    enqueue: (next, input, { cause, delayMs }) => start(next, [{ input, cause, delayMs }]),
    enqueueAll: (next, inputs, { cause, delaysMs = [] }) =>
      start(
        next,
        inputs.map((input, n) => ({ input, cause: `${cause}/${n}`, delayMs: delaysMs[n] })),
      ),
    async rehydrate(operation, stored) {
      const op = context.operations.get(operation);
      return (await op?.stored?.rehydrate?.(db, stored)) ?? stored;
    },
    async resumeJob(id) {
      const operation = await resumeDeferredJob(db, id);
      if (operation === undefined) return false;
      tx.wakeJob({ id, operation });
      return true;
    },
    wakeJob({ id, operation }) {
      const op = context.operations.get(operation); // Undefined if only newer processes know it.
      if (!op) return;
      const isSetBased = op.batch !== undefined;
      started.push({ id, operation, queue: op.queue!, isSetBased });
    },
    async runTimer(name) {
      await context.operations.get(name)!.handle({ ...tx, caller: PLATFORM }, {}, undefined);
    },
    async refuseJob({ id, operation, requestId }, why) {
      const op = context.operations.get(operation);
      await op?.ends?.onRefuse?.(tx, { id, code: why.code });
      await finishJobs(db, [context.refusalAnswer(id, why, requestId, operation)]);
    },
  };
  return tx;
}
