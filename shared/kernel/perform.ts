import type { EntityManager } from 'typeorm';

import { transact } from '../platform/database.ts';
import type { Gateways } from './gateways.ts';
import { fingerprintOf, insertJobs, newJobId, PURPOSE, type NewJob } from '../jobs/jobs.ts';
import { LATER, type AnyOperation, type Call, type Tx } from './operation.ts';
import type { Flight } from '../jobs/queue.ts';
import type { World } from './context.ts';

/**
 * Runs one operation to its end: what it needs first, then one transaction, then what it started is
 * handed on. `seal` runs last inside the transaction, so what it writes is true exactly when the
 * work is; `open` runs first and may say that there is nothing to do.
 */
export async function perform(
  world: World,
  op: AnyOperation,
  input: object,
  call: Call,
  around: {
    open?(db: EntityManager): Promise<boolean>;
    seal?(db: EntityManager, result: object): Promise<void>;
  } = {},
): Promise<object | undefined> {
  const facts = op.gather ? await gathered(world, op, input, call) : undefined;
  let started: Started[] = [];

  const result = await transact(
    world.database,
    async (db) => {
      started = []; // A transaction that is run again starts from nothing.
      if (around.open && !(await around.open(db))) return undefined;
      const output = await op.handle(txOf(world, db, call, started), input, facts);
      if (output === LATER) return undefined;
      await around.seal?.(db, output as object);
      return output as object;
    },
    { readOnly: op.mode === 'read' },
  );

  // All at once: of a Redis that is frozen each hears only after a second.
  const atOnce = started.filter(({ runAt }) => !runAt);
  await Promise.all(atOnce.map((job) => world.queue.push(flightOf(job))));
  return result;
}

async function gathered(world: World, op: AnyOperation, input: object, call: Call) {
  const prepared = op.prepare
    ? await transact(world.database, (db) => op.prepare!(txOf(world, db, call, []), input), {
        readOnly: true,
      })
    : undefined;
  return op.gather!((world.gateways ?? {}) as Gateways, input, prepared);
}

type Started = NewJob & { queue: string };

function txOf(world: World, db: EntityManager, call: Call, started: Started[]): Tx {
  const enqueueAll: Tx['enqueueAll'] = async (next, inputs, { delayMs = 0 } = {}) => {
    // From this moment, not from call.now: the dispatcher relies on it that a transaction
    // schedules nothing before its own start.
    const now = world.clock.now();
    const jobs = inputs.map((input, n) => ({
      id: newJobId(now),
      operation: next.name,
      queue: next.queue,
      agentId: call.caller.agentId,
      input,
      hash: world.secrets.hash(PURPOSE, fingerprintOf(next.name, input)).hash,
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
    secrets: world.secrets,
    config: world.config,
    enqueue: (next, input, options) => enqueueAll(next, [input], options),
    enqueueAll,
  };
}

const flightOf = ({ id, operation, queue }: Started): Flight => ({ queue, operation, ids: [id] });
