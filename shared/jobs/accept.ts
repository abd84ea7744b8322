import type { Caller } from '../agents/caller.ts';
import { crashPoint } from '../platform/crash_point.ts';
import type { Gone } from '../kernel/call.ts';
import { flights } from './batcher.ts';
import type { AnyOperation } from '../kernel/operation.ts';
import { FULL } from '../platform/limiter.ts';
import type { World } from '../kernel/context.ts';
import { fingerprintOf, insertJobs, newJobId, PURPOSE, type NewJob } from './jobs.ts';
import { openLateness } from './queue_latency.ts';
import { openUnderWay, UNDER_WAY_MS_MAX, type UnderWay } from './in_flight.ts';
import type { Seat, Waiting } from './waiters.ts';

/** A call whose caller and input are known to be good. */
export interface Called {
  readonly caller: Caller;
  readonly input: object;
  readonly key: string | undefined;
}

/** How an answer is awaited, and what it is called in the log. */
export interface Asked {
  readonly requestId: string;
  readonly waitMs: number;
  readonly gone: Gone | undefined;
}

interface Boarding {
  readonly called: Called;
  readonly asked: Asked;
}

/** No job: the call's key was used before. */
export interface Accepted {
  readonly job: NewJob | undefined;
  readonly seat: Seat;
}

interface Flown extends Accepted {
  /** When its flight is no longer under way. */
  readonly end: Promise<void>;
}

/** Records calls of job operations and hands them on. Accepted means that the row is committed. */
export function openAcceptance(
  world: World,
  waiting: Waiting,
): (op: AnyOperation, boarding: Boarding) => Promise<Accepted> {
  const { jobs } = world.rooms;
  const isLate = openLateness(world.queue);
  const gates = new Map<string, (boarding: Boarding) => Promise<Accepted>>();

  /** One an operation: the calls that gather there become one INSERT and one BullMQ job. */
  function gateOf(op: AnyOperation): (boarding: Boarding) => Promise<Accepted> {
    let gate = gates.get(op.name);
    if (!gate) {
      // What asks the outside takes its time, and gains nothing by travelling together.
      const underWay = op.handleMany ? openUnderWay() : undefined;
      gate = flights(
        async (boarding: Boarding[]) => {
          const flight = boarding.map(({ called, asked }) => {
            const job = jobOf(world, op, called, asked.requestId);
            return { job, seat: waiting.for(job.id, asked.waitMs, asked.gone) };
          });
          try {
            return await takeOff(op, underWay, flight);
          } catch (error) {
            for (const { seat } of flight) seat.leave();
            jobs.free(flight.length);
            throw error;
          }
        },
        {
          gatheredMax: Infinity, // The room is smaller.
          ...(underWay && { landed: ([first]) => underWay.landed(first!.end) }),
        },
      );
      gates.set(op.name, gate);
    }
    return gate;
  }

  async function takeOff(
    { name: operation, queue }: AnyOperation,
    underWay: UnderWay | undefined,
    flight: { job: NewJob; seat: Seat }[],
  ): Promise<Flown[]> {
    const inserted = await insertJobs(
      world.database,
      flight.map(({ job }) => job),
    );
    crashPoint('A1');
    const ids = [...inserted];
    // A seat of the flight's own, because callers may hang up, or not wait at all.
    const first = underWay && ids.length > 0 ? waiting.for(ids[0]!, UNDER_WAY_MS_MAX) : undefined;
    const { channel: replyTo } = waiting;
    const pushed = ids.length > 0 && (await world.queue.push({ queue, operation, ids, replyTo }));
    if (!pushed) first?.leave();
    const end = underWay?.until(first) ?? Promise.resolve();
    void end.then(() => jobs.free(flight.length));
    return flight.map(({ job, seat }) => {
      const known = !inserted.has(job.id);
      // Not pushed: nobody will do it before Redis is back, so there is nothing to wait for.
      if (known || !pushed) seat.leave();
      return { job: known ? undefined : job, seat, end };
    });
  }

  return async (op, boarding) => {
    if (isLate(op.queue)) throw FULL;
    jobs.take();
    return gateOf(op)(boarding);
  };
}

/** The row of a call, with an id of this moment. */
export function jobOf(
  { secrets, clock }: World,
  { name: operation }: AnyOperation,
  { caller: { agentId }, input, key }: Called,
  requestId: string,
): NewJob {
  const { hash } = secrets.hash(PURPOSE, fingerprintOf(operation, input));
  return { id: newJobId(clock.now()), operation, agentId, input, hash, key, requestId };
}
