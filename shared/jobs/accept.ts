import type { Caller } from '../kernel/caller.ts';
import { holderOf, type Disconnect } from '../kernel/call.ts';
import type { Context } from '../composition/context.ts';
import type { AnyOperation } from '../kernel/operation.ts';
import { overloaded } from '../kernel/refusal.ts';
import { crashPoint } from '../platform/crash_point.ts';
import { Permit } from '../platform/limiter.ts';
import { rowOfTrace } from '../platform/telemetry/traceparent.ts';
import { tracing } from '../platform/telemetry/tracing.ts';
import { batcher } from './batcher.ts';
import { IN_FLIGHT_MS_MAX, openInFlight, type InFlight } from './in_flight.ts';
import { inputVersion } from './input_version.ts';
import { fingerprintOf, insertJobs, newJobId, PURPOSE, type NewJob } from './jobs.ts';
import { openQueueLatency } from './queue_latency.ts';
import type { Waiter, Waiters } from './waiters.ts';

/** A call whose caller and input were validated. */
export interface ValidCall {
  readonly caller: Caller;
  readonly input: object;
  readonly key: string | undefined;
  readonly requestId: string;
  readonly address: string | undefined;
  readonly waitMs: number;
  readonly disconnect: Disconnect | undefined;
}

/** The job of a call, and its waiter. No job: the call's key was used before. */
interface Acceptance {
  readonly job: NewJob | undefined;
  readonly waiter: Waiter;
}

/** Maximum wait to fill a batch: an undisturbed batch of purchases is answered in less. */
const FILL_MS = 50;

/** A call with the permit that its job holds until its batch is answered. */
interface BatchedCall {
  readonly call: ValidCall;
  readonly permit: Permit;
  /** The active span of the call, for its job. */
  readonly trace: Buffer | undefined;
}

interface BatchedAcceptance extends Acceptance {
  /** Resolves when its batch is no longer in flight. */
  readonly batchEnd: Promise<void>;
}

type Accept = (call: BatchedCall) => Promise<Acceptance>;

/** Records calls of job operations and pushes them. Accepted means that the row is committed. */
export function openAcceptance(
  context: Context,
  waiters: Waiters,
): (op: AnyOperation, call: ValidCall) => Promise<Acceptance> {
  const { jobs } = context.limiters;
  const isSlow = openQueueLatency(context.queue);
  const batchers = new Map<string, Accept>();

  /** The batcher of an operation: its calls become one INSERT and one BullMQ job. */
  function batcherOf(op: AnyOperation): Accept {
    let accept = batchers.get(op.name);
    if (!accept) {
      // A job that asks outside systems takes long, and gains nothing in a batch.
      const inFlight = op.batch ? openInFlight() : undefined;
      accept = batcher(
        async (calls: BatchedCall[]) => {
          const batch: { job: NewJob; waiter: Waiter; permit: Permit }[] = [];
          try {
            for (const { call, permit, trace } of calls) {
              const tellAfter = toldAfter(context, call);
              // Spreads come last: on Node 20 each field after one takes a microsecond.
              const job = { tellAfter, trace, ...jobOf(context, op, call) };
              const waiter = waiters.waitFor(job.id, { holder: holderOf(call), ...call });
              batch.push({ job, waiter, permit });
            }
            return await record(op, inFlight, batch);
          } catch (error) {
            for (const { waiter } of batch) waiter.stop();
            for (const { permit } of calls) permit.release();
            throw error;
          }
        },
        {
          holderOf: ({ call }) => holderOf(call),
          maxPending: Infinity, // The limiter's permits bound it.
          ...(inFlight && {
            fillMs: FILL_MS,
            untilDone: ([first]) => inFlight.hold(first!.batchEnd),
          }),
        },
      );
      batchers.set(op.name, accept);
    }
    return accept;
  }

  async function record(
    op: AnyOperation,
    inFlight: InFlight | undefined,
    batch: { job: NewJob; waiter: Waiter; permit: Permit }[],
  ): Promise<BatchedAcceptance[]> {
    const { name: operation, queue } = op;
    // Without Redis no worker gets them now: due at once, the dispatcher need not find them lost.
    const runAt = context.queue.ready() ? undefined : context.clock.now();
    const rows = batch.map(({ job }) => ({ runAt, ...job }));
    const inserted = await context.recording.track(operation, insertJobs(context.database, rows));
    crashPoint('A1');
    const ids = [...inserted];
    // The batch has its own waiter, because callers may disconnect or not wait at all.
    const first =
      inFlight && ids.length > 0
        ? waiters.waitFor(ids[0]!, { waitMs: IN_FLIGHT_MS_MAX })
        : undefined;
    const made = { replyTo: waiters.channel, ...(op.batch && { inputVersion: inputVersion(op) }) };
    const pushed =
      ids.length > 0 && (await context.queue.push({ queue: queue!, operation, ids, ...made }));
    if (!pushed) first?.stop();
    const batchEnd = inFlight?.track(first) ?? Promise.resolve();
    void batchEnd.then(() => batch.forEach(({ permit }) => permit.release()));
    return batch.map(({ job, waiter }) => {
      const known = !inserted.has(job.id);
      // Not pushed: no worker gets it before Redis is back, so there is nothing to wait for.
      if (known || !pushed) waiter.stop();
      return { job: known ? undefined : job, waiter, batchEnd };
    });
  }

  return async (op, call) => {
    if (isSlow(op.queue!)) throw overloaded();
    const permit = new Permit(jobs);
    permit.acquire(holderOf(call));
    return batcherOf(op)({ call, permit, trace: rowOfTrace(tracing()) });
  };
}

/**
 * Time from which the end of a job is announced by an event, because its caller may have been told
 * to poll: half of its wait, so that an end whose commit takes long is announced too.
 */
const toldAfter = ({ clock }: Context, { waitMs }: ValidCall) =>
  new Date(clock.now().getTime() + waitMs / 2);

/** The job row of a call, with an id of this moment. */
export function jobOf(
  { secrets, clock }: Context,
  { name: operation }: AnyOperation,
  { caller, input, key, requestId }: ValidCall,
): NewJob {
  const { hash } = secrets.hash(PURPOSE, fingerprintOf(operation, input));
  const { agentId, rootId, operator } = caller;
  const id = newJobId(clock.now());
  return { id, operation, agentId, rootId, operator, input, hash, key, requestId };
}
