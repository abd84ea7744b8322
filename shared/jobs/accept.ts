import type { Caller } from '../agents/caller.ts';
import { crashPoint } from '../crash_point.ts';
import type { Gone } from '../door.ts';
import { flights } from '../flight.ts';
import type { AnyOperation } from '../operation.ts';
import { FULL, takePlace, type Place } from '../room.ts';
import type { World } from '../world.ts';
import { fingerprintOf, insertJobs, newJobId, PURPOSE, type NewJob } from './jobs.ts';
import { LANDING_MS_MAX, openLanding } from './landing.ts';
import { openLateness } from './late.ts';
import type { Seat, Waiting } from './waiting.ts';

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
  /** Among the jobs. It is free when the flight has landed, or when it is left. */
  readonly place: Place;
}

interface Passenger extends Boarding {
  readonly place: Place;
}
interface Landing {
  /** When all of the flight are answered; absent where nobody is to perform it now. */
  readonly back: Promise<unknown> | undefined;
}

/** Records calls of job operations and hands them on. Accepted means that the row is committed. */
export function openAcceptance(
  world: World,
  waiting: Waiting,
): (op: AnyOperation, boarding: Boarding) => Promise<Accepted> {
  const isLate = openLateness(world.queue);
  const gates = new Map<string, (passenger: Passenger) => Promise<Accepted>>();

  /** One an operation: the calls that gather there become one INSERT and one BullMQ job. */
  function gateOf(op: AnyOperation): (passenger: Passenger) => Promise<Accepted> {
    let gate = gates.get(op.name);
    if (!gate) {
      // What asks the outside takes its time, and gains nothing by travelling together.
      const landing = op.handleMany ? openLanding() : undefined;
      gate = flights(
        async (passengers: Passenger[]) => {
          const flight = passengers.map(({ called, asked, place }) => {
            const job = jobOf(world, op, called, asked.requestId);
            return { job, seat: waiting.for(job.id, asked.waitMs, asked.gone), place };
          });
          try {
            return await takeOff(op, flight);
          } catch (error) {
            for (const { seat } of flight) seat.leave();
            throw error;
          }
        },
        {
          async landed(flight) {
            const back = flight[0]?.back;
            if (back) await landing?.(back);
            for (const { place } of flight) place.leave();
          },
        },
      );
      gates.set(op.name, gate);
    }
    return gate;
  }

  async function takeOff(
    { name: operation, queue }: AnyOperation,
    flight: { job: NewJob; seat: Seat; place: Place }[],
  ): Promise<(Accepted & Landing)[]> {
    const inserted = await insertJobs(
      world.database,
      flight.map(({ job }) => job),
    );
    crashPoint('A1');
    const ids = [...inserted];
    // A seat of the flight's own, because callers may hang up, or not wait at all.
    const first = ids.length > 0 ? waiting.for(ids[0]!, LANDING_MS_MAX) : undefined;
    const { channel: replyTo } = waiting;
    const pushed = ids.length > 0 && (await world.queue.push({ queue, operation, ids, replyTo }));
    if (!pushed) first?.leave();
    return flight.map(({ job, seat, place }) => {
      const known = !inserted.has(job.id);
      // Not pushed: nobody will do it before Redis is back, so there is nothing to wait for.
      if (known || !pushed) seat.leave();
      return { job: known ? undefined : job, seat, place, back: first?.answer };
    });
  }

  return async (op, boarding) => {
    if (isLate(op.queue)) throw FULL;
    const place = takePlace(world.rooms.jobs);
    try {
      return await gateOf(op)({ ...boarding, place });
    } catch (error) {
      place.leave();
      throw error;
    }
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
