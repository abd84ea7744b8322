import type { EntityManager } from 'typeorm';

import { assertOwns } from './assert_owns.ts';
import { isLogged, logOperation } from './audit_log.ts';
import { Deferral, type RecordedDeferral } from '../jobs/deferral.ts';
import type { Context } from '../composition/context.ts';
import { WAIT_FOR_CHILD_JOBS, type AnyOperation } from '../kernel/operation.ts';
import type { Call, Tx } from '../kernel/tx.ts';
import { Refusal } from '../kernel/refusal.ts';
import { inTransaction } from './transaction.ts';

/** The outcome of an operation: its result (200), or a deferral (202). */
export interface Outcome {
  readonly status: 200 | 202;
  readonly body: object;
}

/** Default timeout of `gather`. */
export const GATHER_MS = 30_000;
/** Time before the lag of a standby from which nothing is added: no transaction takes as long. */
const PAST_MS = 60_000;

/** Timeout of `gather`. It was aborted, but its outside requests may go on. */
export class GatherTimeout extends Error {
  constructor(operation: string, ms: number) {
    super(`${operation} has gathered for more than ${ms} ms`);
  }
}

/**
 * Thrown by `gather` while its outside request is in flight. The job is due again after `ms`,
 * without a counted attempt; until then it uses no permit of its worker. The code that throws it
 * must ensure that this ends.
 */
export class RetryLater extends Error {
  readonly ms: number;

  constructor(ms: number) {
    super(`put off for ${ms} ms`);
    this.ms = ms;
  }
}

/** Steps in the transaction of an operation, before and after its own work. */
interface Around {
  begin?(db: EntityManager): Promise<boolean>;
  finish?(db: EntityManager, result: object): Promise<void>;
  /** Records a refusal that `handle` has returned; earlier writes stay. */
  refuse?(db: EntityManager, refusal: Refusal): Promise<void>;
  /** Records a deferral. Absent: the call cannot wait, so a deferral refuses it. */
  defer?(db: EntityManager, deferral: RecordedDeferral): Promise<void>;
}

/**
 * Runs one operation to its end: first the facts, then one transaction. In it `begin` runs first
 * and may find nothing to do; `finish` or `defer` runs last, so its writes commit exactly with the
 * work. Undefined: there was nothing to do, or the job waits for its child jobs. The action of an
 * operator is recorded in the same transaction, its refusal afterwards.
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
    const stale = op.reads?.stale ?? isOfThePast(context, op, input, call);
    return await inTransaction(context, call, (tx) => work(tx, facts), { readOnly, stale });
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

/** Whether all that a read shows is of the past, which a standby that may be read has too. */
function isOfThePast({ config }: Context, { reads }: AnyOperation, input: object, { now }: Call) {
  if (reads?.endsAt === undefined) return false;
  const end = (input as Readonly<Record<string, unknown>>)[reads.endsAt];
  const ageMs = now.getTime() - Date.parse(String(end));
  return ageMs > PAST_MS + config.databaseReadLagMs;
}

async function gatherFacts(context: Context, op: AnyOperation, input: object, call: Call) {
  const prepare = async (tx: Tx) => {
    await checkOwner(tx, op, input);
    return op.prepare?.(tx, input);
  };
  const prepared =
    op.prepare || op.owners?.ownerOf
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
      reject(error); // The job goes on, even if the gateway ignores the signal.
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

/** Checks ownership before `prepare` and `handle`, so that no handler can forget it. */
async function checkOwner(tx: Tx, op: AnyOperation, input: object): Promise<void> {
  const { ownerOf } = op.owners ?? {};
  if (ownerOf) await assertOwns(tx, (input as Record<string, number>)[ownerOf]!);
}
