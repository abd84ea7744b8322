import { authenticate } from '../agents/authenticate.ts';
import { LostCommit, transact } from '../platform/database.ts';
import { takesKey, type Answer, type Door } from './call.ts';
import { isUnanswered } from '../platform/fault.ts';
import { inTime } from '../platform/timeout.ts';
import { jobOf, openAcceptance, type Asked, type Called } from '../jobs/accept.ts';
import * as jobs from '../jobs/jobs.ts';
import type { Answered, Recorded } from '../jobs/jobs.ts';
import type { Waiting } from '../jobs/waiters.ts';
import type { AnyOperation } from './operation.ts';
import { perform } from './perform.ts';
import { bindsKey, Refusal } from './refusal.ts';
import { Place } from '../platform/limiter.ts';
import { parse } from './schema.ts';
import { refuseUnstorable } from './storable.ts';
import type { World } from './context.ts';

const KEY_CHARS_MAX = 255;
const TRIES_MAX = 5;

/** Where every call of an operation comes in, whichever interface it was made by. */
export function openDoor(world: World, waiting: Waiting): Door {
  const accept = openAcceptance(world, waiting);
  const { databaseMs } = world.config;

  return async (op, request) => {
    const place = request.place ?? new Place(world.rooms.calls);
    try {
      const caller = await authenticate(world, request.token, op.access);
      request.known?.(caller);
      const given = await request.read();
      place.take();
      refuseUnstorable(given.input);
      const { dropUnknown, requestId, gone } = request;
      const input = parse(op.input, given.input, { dropUnknown }) as object;
      const key = takesKey(op) ? keyOf(given.key) : undefined;
      const call = { caller, input, key };
      const asked = { requestId, gone, place, waitMs: given.waitMs };
      return await inTime(answer(op, call, asked), databaseMs + given.waitMs);
    } catch (error) {
      throw isUnanswered(error) || error instanceof LostCommit ? unavailable(op, error) : error;
    } finally {
      place.leave();
    }
  };

  async function answer(op: AnyOperation, called: Called, asked: Counted): Promise<Answer> {
    const { key } = called;
    switch (op.mode) {
      case 'read':
        return { status: 200, body: await read(op, called, asked) };
      case 'write':
        return key ? writeOnce(op, { ...called, key }, asked) : write(op, called, asked);
      case 'job':
        return run(op, called, asked);
    }
  }

  async function read(op: AnyOperation, { caller, input }: Called, asked: Counted) {
    const { requestId, waitMs, gone, place } = asked;
    const look = () => {
      const call = { caller, key: requestId, now: world.clock.now(), requestId };
      return perform(world, op, input, call);
    };
    const result = await look();
    const jobId = waitMs > 0 && op.awaits?.(result);
    if (!jobId) return JSON.stringify(result);
    place.leave();
    await waiting.for(jobId, waitMs, gone).answer;
    return JSON.stringify(await look());
  }

  async function write(op: AnyOperation, { caller, input }: Called, { requestId }: Asked) {
    const now = world.clock.now();
    const result = await perform(world, op, input, { caller, key: newId(), now, requestId });
    return { status: 200, body: JSON.stringify(result) };
  }

  /** The job row of a keyed write is inserted first: whoever comes second waits for it. */
  async function writeOnce(op: AnyOperation, called: Keyed, asked: Counted): Promise<Answer> {
    const { caller, input, key } = called;
    const before = await jobs.findByKey(world.database, { agentId: caller.agentId, key });
    if (before) return replay(op, called, before, asked);

    const { requestId } = asked;
    // Its input is not stored: it may hold secrets, and a write is never tried again from its row.
    const job = { ...jobOf(world, op, called, requestId), input: {} };
    try {
      const call = { caller, key: job.id, now: world.clock.now(), requestId };
      const result = await perform(world, op, input, call, {
        open: async (db) => (await jobs.insertJobs(db, [job])).has(job.id),
        seal: (db, output) =>
          jobs.seal(db, [jobs.completed(job.id, op.keep ? op.keep(output) : output)]),
      });
      if (result) return { status: 200, body: JSON.stringify(result) };
    } catch (error) {
      if (!(error instanceof Refusal) || !bindsKey(error.status)) throw error;
      await transact(world.database, async (db) => {
        const inserted = await jobs.insertJobs(db, [job]);
        if (inserted.has(job.id)) await jobs.seal(db, [jobs.refused(job.id, error, requestId)]);
      });
      throw error;
    }
    const recorded = await jobs.findByKey(world.database, { agentId: caller.agentId, key });
    if (recorded) return replay(op, called, recorded, asked);
    throw new Refusal('service_unavailable', 'This key is being used by others. Repeat the call.');
  }

  async function run(op: AnyOperation, called: Called, asked: Counted): Promise<Answer> {
    const { caller, key } = called;
    asked.place.leave(); // There is another among the jobs.
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const { job, seat } = await accept(op, { called, asked });
      if (job) return answerOf(job.id, await seat.answer, op);

      const recorded = await jobs.findByKey(world.database, { agentId: caller.agentId, key: key! });
      if (recorded) return replay(op, { ...called, key: key! }, recorded, asked);
      // The first call just ended in a refusal that gave the key free: this one may use it.
    }
    throw new Refusal('service_unavailable', 'This key is being used by others. Repeat the call.');
  }

  /** What this key's first call was told, or is about to be told. */
  async function replay(
    op: AnyOperation,
    { input }: Keyed,
    { id, hash, answered }: Recorded,
    { waitMs, gone, place }: Counted,
  ): Promise<Answer> {
    if (!world.secrets.isHashOf(hash, jobs.PURPOSE, jobs.fingerprintOf(op.name, input))) {
      throw new Refusal(
        'idempotency_conflict',
        'This Idempotency-Key was used for another call. Use a new key for a new call.',
      );
    }
    if (answered) return { ...answerOf(id, await reopened(op, answered)), replayed: true };
    place.leave();
    return answerOf(id, await waiting.for(id, waitMs, gone).answer);
  }

  /** An answer of which something was not stored, in full again. */
  async function reopened(op: AnyOperation, answered: Answered): Promise<Answered> {
    if (!op.reopen || answered.status === 'failed') return answered;
    const kept = JSON.parse(answered.answer) as object;
    const whole = await transact(world.database, (db) => op.reopen!(db, kept), { readOnly: true });
    return { ...answered, answer: JSON.stringify(whole) };
  }

  function newId(): string {
    return jobs.newJobId(world.clock.now());
  }
}

type Counted = Asked & { readonly place: Place };
type Keyed = Called & { readonly key: string };

function keyOf(key: string | undefined): string | undefined {
  if (key === undefined) return undefined;
  if (!/^[\x21-\x7e]+$/.test(key) || key.length > KEY_CHARS_MAX) {
    throw new Refusal(
      'validation_error',
      `Idempotency-Key must be 1 to ${KEY_CHARS_MAX} visible ASCII characters.`,
      { fields: [{ pointer: '/idempotency_key', message: 'is not a valid key' }] },
    );
  }
  return key;
}

function answerOf(id: string, answered: Answered | null, op?: AnyOperation): Answer {
  if (answered) return { status: answered.httpStatus, body: answered.answer };
  const poll = `/api/v1/${op?.access === 'operator' ? 'admin/' : ''}jobs/${id}`;
  return { status: 202, body: JSON.stringify({ status: 'pending', job_id: id, poll }), poll };
}

function unavailable(op: AnyOperation, cause: unknown): Refusal {
  const refusal = new Refusal(
    'service_unavailable',
    op.mode === 'read'
      ? 'The database does not answer. Try again in a moment.'
      : 'The database did not answer, so it is not known whether this happened. Repeat it with ' +
          'the Idempotency-Key you sent; if you sent none, look before you repeat it.',
  );
  refusal.cause = cause;
  return refusal;
}
