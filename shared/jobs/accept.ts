import { setTimeout as sleep } from 'node:timers/promises';

import type { Caller } from '../agents/caller.ts';
import { crashPoint } from '../crash_point.ts';
import type { Gone } from '../door.ts';
import { flights } from '../flight.ts';
import type { AnyOperation } from '../operation.ts';
import type { World } from '../world.ts';
import { fingerprintOf, insertJobs, newJobId, PURPOSE, type NewJob } from './jobs.ts';
import type { Seat, Waiting } from './waiting.ts';

const LANDING_MS_MAX = 50;

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

/** Records calls of job operations and hands them on. Accepted means that the row is committed. */
export function openAcceptance(
  world: World,
  waiting: Waiting,
): (op: AnyOperation, boarding: Boarding) => Promise<Accepted> {
  const gates = new Map<string, (boarding: Boarding) => Promise<Accepted>>();

  /** One an operation: the calls that gather there become one INSERT and one BullMQ job. */
  function gateOf(op: AnyOperation): (boarding: Boarding) => Promise<Accepted> {
    let gate = gates.get(op.name);
    if (!gate) {
      gate = flights(
        async (boarding: Boarding[]) => {
          const flight = boarding.map(({ called, asked }) => {
            const job = jobOf(world, op, called, asked.requestId);
            return { job, seat: waiting.for(job.id, asked.waitMs, asked.gone) };
          });
          try {
            return await takeOff(op, flight);
          } catch (error) {
            for (const { seat } of flight) seat.leave();
            throw error;
          }
        },
        // What asks the outside takes its time, and gains nothing by travelling together.
        op.handleMany ? { landed } : {},
      );
      gates.set(op.name, gate);
    }
    return gate;
  }

  async function takeOff(
    { name: operation, queue }: AnyOperation,
    flight: { job: NewJob; seat: Seat }[],
  ): Promise<Accepted[]> {
    const inserted = await insertJobs(
      world.database,
      flight.map(({ job }) => job),
    );
    crashPoint('A1');
    const ids = [...inserted];
    const { channel: replyTo } = waiting;
    const pushed = ids.length > 0 && (await world.queue.push({ queue, operation, ids, replyTo }));
    return flight.map(({ job, seat }) => {
      const known = !inserted.has(job.id);
      // Not pushed: nobody will do it before Redis is back, so there is nothing to wait for.
      if (known || !pushed) seat.leave();
      return { job: known ? undefined : job, seat };
    });
  }

  return (op, boarding) => gateOf(op)(boarding);
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

/**
 * A flight is in the air until its answers are back: what came meanwhile then goes together, which
 * PostgreSQL does for a third of the price. Not for long, because what is not recorded is not safe.
 */
const landed = ([first]: readonly Accepted[]) =>
  Promise.race([first?.seat.answer, sleep(LANDING_MS_MAX, undefined, { ref: false })]);
