import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { tokenOf } from '../../shared/domains/agents/authenticate.ts';
import type { Caller } from '../../shared/kernel/caller.ts';
import { holderOf, type Invoke } from '../../shared/kernel/call.ts';
import type { Context } from '../../shared/composition/context.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { CODES, Refusal } from '../../shared/kernel/refusal.ts';
import { withEscapes } from '../../shared/kernel/text.ts';
import { openLeases } from '../../shared/platform/shares/leases.ts';
import { openShares } from '../../shared/platform/shares/shares.ts';
import { keepPace } from '../http/errors.ts';
import type { Lifecycle } from '../http/health.ts';
import { noteCaller, type CallContext } from '../http/routes.ts';
import {
  endStream,
  newStream,
  noStreams,
  send,
  STREAMS_MAX,
  tooManyStreams,
  watchStream,
  type Stream,
} from './stream.ts';

/** Maximum streams of a process; a tree of agents or an address may have half of them alone. */
const STREAMS_OF_PROCESS_MAX = 2_000;
const PER_FREE = 1;
const WAIT_MS = 25_000;
/** Pause after a look that found nothing, if there is no waiting or the platform refuses it. */
const PAUSE_MS = 1_000;
/** Delay in ms after which a client should reconnect when its stream has ended. */
const RETRY = ['retry: 1000\n\n'];

export type EventStreams = ReturnType<typeof openEventStreams>;

/** Whether a client wants this operation's list as a stream. */
export const wantsStream = (op: AnyOperation, { req }: CallContext): boolean =>
  op.wait?.stream !== undefined && (req.headers.accept ?? '').includes('text/event-stream');

/**
 * Serves a read that can wait as server-sent events: looks, sends what is new, and waits. Each look
 * is a call like any other, so it needs a valid key and counts for the limits.
 */
export function openEventStreams(context: Context, invoke: Invoke, { draining }: Lifecycle) {
  const leases = openLeases(context.queue, 'event-streams', STREAMS_MAX);
  const ofTrees = openShares(STREAMS_OF_PROCESS_MAX, PER_FREE);
  const ofAddresses = openShares(STREAMS_OF_PROCESS_MAX, PER_FREE);
  const streams = new Set<Stream>();
  draining.addEventListener('abort', () => streams.forEach(endStream));

  /** `read` gives the input of the first look. */
  return async (op: AnyOperation, ctx: CallContext, read: () => Promise<object>) => {
    const token = tokenOf(ctx.req);
    const { requestId, address } = ctx.state;
    let caller: Caller | undefined;
    let input: object | undefined;

    /** The messages of the next page. A refusal of the first is the answer to the request. */
    async function look(stream?: Stream): Promise<readonly string[]> {
      const { body } = await invoke(op, {
        token,
        read: async () => ({
          input: (input ??= await read()),
          key: undefined,
          waitMs: stream ? WAIT_MS : 0,
        }),
        dropUnknown: false,
        requestId,
        address,
        disconnect: stream?.ended.signal,
        onCaller: (known) => noteCaller(ctx.state, (caller = known)),
      });
      const page = JSON.parse(body) as object;
      const form = op.wait!.stream!;
      input = { ...input, ...form.next(page) };
      return form
        .messages(page)
        .flatMap(({ id, event, data }) => [
          `id: ${id}\nevent: ${event}\ndata: ${withEscapes(JSON.stringify(data))}\n\n`,
        ]);
    }

    const first = await look();
    const stream = newStream(token!, caller!, address);
    await hold(stream, ctx).catch(async (error: unknown) => {
      await keepPace(context, ctx.state, error);
      throw error;
    });
    watchStream(context, stream);
    ctx.set({ 'Cache-Control': 'no-cache, no-transform', 'X-Accel-Buffering': 'no' });
    ctx.set('Content-Type', 'text/event-stream');
    ctx.body = stream.out;
    send(stream, RETRY);
    send(stream, first);
    follow(stream, () => look(stream)).catch((error: unknown) => {
      endStream(stream);
      context.log.error({ err: error, request_id: requestId }, 'a stream of events has failed');
    });
  };

  /** Counts the stream until it ends. Refuses it if there are too many. */
  async function hold(stream: Stream, ctx: CallContext): Promise<void> {
    const { caller, session, address, ended } = stream;
    const tree = holderOf({ caller, address });
    if (!ofTrees.acquire(tree)) throw tooManyStreams();
    if (!ofAddresses.acquire(address)) {
      ofTrees.release(tree);
      throw tooManyStreams();
    }
    streams.add(stream);
    ended.signal.addEventListener('abort', () => {
      streams.delete(stream);
      ofTrees.release(tree);
      ofAddresses.release(address);
      leases.release(caller.agentId, session);
    });
    ctx.res.once('close', () => endStream(stream));
    const refusal = await leases.acquire(caller.agentId, session).then(
      (isAcquired) => (isAcquired ? undefined : tooManyStreams()),
      (error: unknown) => unavailable(error),
    );
    if (refusal || ctx.res.destroyed) endStream(stream); // Or the client has disconnected.
    if (refusal) throw refusal;
    if (draining.aborted) throw unavailable();
  }

  /** Sends new messages, as fast as the client reads them, until the stream ends. */
  async function follow(stream: Stream, look: () => Promise<readonly string[]>): Promise<void> {
    const { out, ended } = stream;
    const { signal } = ended;
    const ends = once(signal, 'abort');
    while (!signal.aborted) {
      const since = performance.now();
      const messages = await look().catch((error: unknown) => {
        if (error instanceof Refusal && CODES[error.code].retryable) return [];
        // Its key was revoked, or lost a scope.
        if (error instanceof Refusal) return endStream(stream);
        throw error;
      });
      if (!messages || signal.aborted) return;
      send(stream, messages);
      if (out.writableNeedDrain) await Promise.race([once(out, 'drain'), ends]);
      const isEarly = messages.length === 0 && performance.now() - since < PAUSE_MS;
      if (isEarly) await Promise.race([sleep(PAUSE_MS, undefined, { ref: false }), ends]);
    }
  }
}

const unavailable = (cause?: unknown) =>
  noStreams('Ask for a page with wait, or try again.', cause);
