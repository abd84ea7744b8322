import type { EntityManager } from 'typeorm';

import { assertOwns } from '../agents/assert_owns.ts';
import { isLogged, logOperation } from '../operators/audit_log.ts';
import { Deferral, type RecordedDeferral } from '../jobs/deferral.ts';
import type { Context } from './context.ts';
import { WAIT_FOR_CHILD_JOBS, type AnyOperation, type Call, type Tx } from './operation.ts';
import { Refusal } from './refusal.ts';
import { inTransaction } from './transaction.ts';

/** How an operation ended: with its result (200), or put off until something else happens (202). */
export interface Outcome {
  readonly status: 200 | 202;
  readonly body: object;
}

/** How long `gather` may take by default. */
export const GATHER_MS = 30_000;

/** `gather` did not end in time. It was aborted, and what it started outside may go on. */
export class GatherTimeout extends Error {
  constructor(operation: string, ms: number) {
    super(`${operation} has gathered for more than ${ms} ms`);
  }
}

/**
 * Thrown by `gather`: what it asks for is in flight and not known yet. The job is due again after
 * `ms`, and no attempt is counted; until then it holds nothing of its worker. Whoever throws it
 * sees to it that this ends.
 */
export class PutOff extends Error {
  readonly ms: number;

  constructor(ms: number) {
    super(`put off for ${ms} ms`);
    this.ms = ms;
  }
}

/** What is done in the transaction of an operation, before and after its own work. */
interface Around {
  begin?(db: EntityManager): Promise<boolean>;
  finish?(db: EntityManager, result: object): Promise<void>;
  /** Of a refusal that `handle` has returned: what it wrote before stays. */
  refuse?(db: EntityManager, refusal: Refusal): Promise<void>;
  /** Absent: the call cannot wait, so what would defer it refuses it. */
  defer?(db: EntityManager, deferral: RecordedDeferral): Promise<void>;
}

/**
 * Runs one operation to its end: facts first, then one transaction. In that, `begin` runs first and
 * may say that there is nothing to do; `finish` or `defer` runs last, so what it writes is true
 * exactly when the work is. Undefined: there was nothing to do, or the job waits for its child
 * jobs. What an operator does is recorded in the same transaction, and what is refused afterwards.
 */
export async function perform(
  context: Context,
  op: AnyOperation,
  input: object,
  call: Call,
  around: Around = {},
): Promise<Outcome | undefined> {
  const work = async (tx: Tx, facts: unknown): Promise<Outcome | undefined> => {
    if (around.begin && !(await around.begin(tx.db))) return undefined;
    await checkOwner(tx, op, input);
    const output = await op.handle(tx, input, facts);
    if (output === WAIT_FOR_CHILD_JOBS) return undefined;
    if (output instanceof Refusal) {
      if (!around.refuse) throw output;
      await around.refuse(tx.db, output);
      context.refusalCounts.note(call.caller, output.code);
      return undefined;
    }
    if (isLogged(op, call)) await logOperation(tx, op, input);
    await around.finish?.(tx.db, output as object);
    return { status: 200, body: output as object };
  };
  const defer = async (tx: Tx, deferral: Deferral): Promise<Outcome | undefined> => {
    if (around.begin && !(await around.begin(tx.db))) return undefined;
    const recorded = await deferral.record(tx, { operation: op.name, input });
    await around.defer!(tx.db, recorded);
    return { status: 202, body: recorded.body };
  };
  try {
    const facts = op.gather ? await gatherFacts(context, op, input, call) : undefined;
    const readOnly = op.mode === 'read';
    return await inTransaction(context, call, (tx) => work(tx, facts), { readOnly });
  } catch (error) {
    if (error instanceof Deferral && around.defer) {
      return inTransaction(context, call, (tx) => defer(tx, error));
    }
    if (error instanceof Refusal) context.refusalCounts.note(call.caller, error.code);
    if (error instanceof Refusal && isLogged(op, call)) {
      await inTransaction(context, call, (tx) => logOperation(tx, op, input, error.code));
    }
    throw error;
  }
}

async function gatherFacts(context: Context, op: AnyOperation, input: object, call: Call) {
  const prepare = async (tx: Tx) => {
    await checkOwner(tx, op, input);
    return op.prepare?.(tx, input);
  };
  const prepared =
    op.prepare || op.ownerOf
      ? await inTransaction(context, call, prepare, { readOnly: true })
      : undefined;
  const { key, requestId } = call;
  const tree = call.caller.rootId;
  const deadline = new AbortController();
  const ms = op.gatherMs ?? GATHER_MS;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = new GatherTimeout(op.name, ms);
      reject(error); // Whatever the gateway does with the signal, the job goes on.
      deadline.abort(error);
    }, ms);
  });
  try {
    const { signal } = deadline;
    const gateways = context.gateways!;
    return await Promise.race([
      op.gather!(gateways, input, { key, requestId, tree, signal }, prepared),
      timeout,
    ]);
  } finally {
    clearTimeout(timer);
  }
}

/** Here, so that no handler can forget it. Before `prepare` and again before `handle`. */
async function checkOwner(tx: Tx, op: AnyOperation, input: object): Promise<void> {
  if (op.ownerOf) await assertOwns(tx, (input as Record<string, number>)[op.ownerOf]!);
}
