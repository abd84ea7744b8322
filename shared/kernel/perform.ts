import type { EntityManager } from 'typeorm';

import { transact } from '../platform/database.ts';
import type { Gateways } from './gateways.ts';
import { fingerprintOf, insertJobs, newJobId, PURPOSE, type NewJob } from '../jobs/jobs.ts';
import {
  WAIT_FOR_CHILD_JOBS,
  type AnyOperation,
  type Call,
  type QueueName,
  type Tx,
} from './operation.ts';
import type { Batch } from '../jobs/queue.ts';
import type { Context } from './context.ts';

/**
 * Runs one operation to its end: what it needs first, then one transaction, then what it started is
 * handed on. `finish` runs last inside the transaction, so what it writes is true exactly when the
 * work is; `begin` runs first and may say that there is nothing to do.
 */
export async function perform(
  context: Context,
  op: AnyOperation,
  input: object,
  call: Call,
  around: {
    begin?(db: EntityManager): Promise<boolean>;
    finish?(db: EntityManager, result: object): Promise<void>;
  } = {},
): Promise<object | undefined> {
  const facts = op.gather ? await gathered(context, op, input, call) : undefined;
  let started: Started[] = [];

  const result = await transact(
    context.database,
    async (db) => {
      started = []; // A transaction that is run again starts from nothing.
      if (around.begin && !(await around.begin(db))) return undefined;
      const output = await op.handle(txOf(context, db, call, started), input, facts);
      if (output === WAIT_FOR_CHILD_JOBS) return undefined;
      await around.finish?.(db, output as object);
      return output as object;
    },
    { readOnly: op.mode === 'read' },
  );

  // All at once: of a Redis that is frozen each hears only after a second.
  const atOnce = started.filter(({ runAt }) => !runAt);
  await Promise.all(atOnce.map((job) => context.queue.push(batchOf(job))));
  return result;
}

async function gathered(context: Context, op: AnyOperation, input: object, call: Call) {
  const prepared = op.prepare
    ? await transact(context.database, (db) => op.prepare!(txOf(context, db, call, []), input), {
        readOnly: true,
      })
    : undefined;
  return op.gather!((context.gateways ?? {}) as Gateways, input, prepared);
}

type Started = NewJob & { queue: QueueName };

function txOf(context: Context, db: EntityManager, call: Call, started: Started[]): Tx {
  const enqueueAll: Tx['enqueueAll'] = async (next, inputs, { delayMs = 0 } = {}) => {
    // From this moment, not from call.now: the dispatcher relies on it that a transaction
    // schedules nothing before its own start.
    const now = context.clock.now();
    const jobs = inputs.map((input, n) => ({
      id: newJobId(now),
      operation: next.name,
      queue: next.queue!,
      agentId: call.caller.agentId,
      input,
      hash: context.secrets.hash(PURPOSE, fingerprintOf(next.name, input)).hash,
      requestId: call.requestId,
      cause: `${call.key}/${next.name}/${started.length + n}`,
      runAt: delayMs > 0 ? new Date(now.getTime() + delayMs) : undefined,
    }));
    await insertJobs(db, jobs);
    started.push(...jobs);
  };
  return {
    ...call,
    db,
    secrets: context.secrets,
    config: context.config,
    enqueue: (next, input, options) => enqueueAll(next, [input], options),
    enqueueAll,
  };
}

const batchOf = ({ id, operation, queue }: Started): Batch => ({ queue, operation, ids: [id] });
