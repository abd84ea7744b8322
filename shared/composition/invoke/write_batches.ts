import type { EntityManager } from 'typeorm';

import { jobOf } from '../../jobs/accept.ts';
import { batcher } from '../../jobs/batcher.ts';
import * as jobs from '../../jobs/jobs.ts';
import { holderOf, type Answer } from '../../kernel/call.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import { crashPoint } from '../../platform/crash_point.ts';
import { LostCommit, transact } from '../../platform/database.ts';
import { isUnanswered } from '../../platform/fault.ts';
import type { Invocation, Invoking } from './invocation.ts';
import { answerOfWrite } from './recorded_answers.ts';

/**
 * Batches in flight of one operation. Two keep PostgreSQL busy while the process reads and answers
 * calls; with more, each batch is smaller, and those for one treasury wait for each other anyway.
 */
const MAX_IN_FLIGHT = 2;

type Batcher = (call: Invocation) => Promise<Answer | undefined>;

/**
 * Performs writes that come together in one transaction, with the keys and answers of those that
 * have keys. Undefined: the batch has left the call out or failed, and nothing has happened for it.
 */
export function openWriteBatches({
  context,
}: Invoking): (op: AnyOperation, call: Invocation) => Promise<Answer | undefined> {
  const batchers = new Map<string, Batcher>();

  function batcherOf(op: AnyOperation): Batcher {
    let found = batchers.get(op.name);
    if (!found) {
      found = batcher((calls: Invocation[]) => performBatch(op, calls), {
        holderOf,
        maxInFlight: MAX_IN_FLIGHT,
        maxPending: Infinity, // The permits of the calls bound it.
      });
      batchers.set(op.name, found);
    }
    return found;
  }

  async function performBatch(
    op: AnyOperation,
    calls: readonly Invocation[],
  ): Promise<(Answer | undefined)[]> {
    try {
      const results = await inOneTransaction(op, calls);
      crashPoint('B2');
      return results.map((body) => body && answerOfWrite({ status: 200, body }));
    } catch (error) {
      // It may have happened, or the database is away: none of the calls can be repeated.
      if (error instanceof LostCommit || isUnanswered(error)) throw error;
      // One failing call must not harm the others, so each is attempted by itself.
      context.log.warn(
        { err: error, operation: op.name },
        'a batch failed; its calls go one by one',
      );
      return calls.map(() => undefined);
    }
  }

  /** The result of each call; undefined: its key was used before, or it is left to `handle`. */
  function inOneTransaction(
    op: AnyOperation,
    calls: readonly Invocation[],
  ): Promise<(object | undefined)[]> {
    const now = context.clock.now();
    // The input is not stored, as for a lone write.
    const entries = calls.map((call) => ({
      call,
      job: call.key === undefined ? undefined : { ...jobOf(context, op, call), input: {} },
    }));
    return transact(context.database, async (db) => {
      const keyed = entries.flatMap(({ job }) => job ?? []);
      const recorded = keyed.length > 0 ? await jobs.insertJobs(db, keyed) : new Set();
      const firsts = entries.filter(({ job }) => !job || recorded.has(job.id));
      const handled = await op.writeBatch!.handleMany(
        { db, config: context.config },
        firsts.map(({ call: { caller, input } }) => ({ caller, input, now })),
      );
      const results = new Map(
        firsts.map(({ call }, n) => [call, handled[n] as object | undefined]),
      );
      await endJobs(
        db,
        firsts.flatMap(({ call, job }) => (job ? { id: job.id, result: results.get(call) } : [])),
      );
      crashPoint('B1');
      return calls.map((call) => results.get(call));
    });
  }

  return (op, call) => batcherOf(op)(call);
}

/** Finishes the jobs that have a result, and withdraws the others. */
async function endJobs(
  db: EntityManager,
  ended: readonly { readonly id: string; readonly result: object | undefined }[],
): Promise<void> {
  if (ended.length === 0) return;
  const answers = ended.flatMap(({ id, result }) => (result ? jobs.resultAnswer(id, result) : []));
  await jobs.finishJobs(db, answers);
  const left = ended.filter(({ result }) => !result);
  await jobs.withdrawJobs(
    db,
    left.map(({ id }) => id),
  );
}
