import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { PassThrough } from 'node:stream';

import {
  parseJSONRPCMessage,
  ProtocolErrorCode,
  type JSONRPCMessage,
} from '@modelcontextprotocol/server';

import { authenticate } from '../../shared/agents/authenticate.ts';
import type { Caller } from '../../shared/agents/caller.ts';
import type { Invoke } from '../../shared/kernel/call.ts';
import { openPubSub } from '../../shared/platform/pubsub.ts';
import { PREFIX } from '../../shared/platform/redis.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { openLeases } from '../../shared/platform/leases.ts';
import type { Context } from '../../shared/kernel/context.ts';
import type { Life } from '../http/health.ts';
import { tokenOf } from '../http/request.ts';
import type { HttpContext } from '../http/routes.ts';
import type { Asking } from './call.ts';
import { answerBad, messagesIn, readMessage } from './messages.ts';
import { serverFor } from './server.ts';
import { groupsOf, listTools } from './tools.ts';

/** An agent's, over all API processes. */
const STREAMS_MAX = 5;
const KEEP_ALIVE_MS = 15_000;
const LOOK_MS = 1_000;
/** What a client that does not read may leave lying here. */
const UNREAD_BYTES_MAX = 4 * 1024 * 1024;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** An open stream, as long as its key is good and its client stays. */
interface Stream {
  readonly session: string;
  readonly token: string;
  readonly caller: Caller;
  readonly out: PassThrough;
  /** Aborted when it ends. */
  readonly ended: AbortController;
}

/**
 * The transport of 2024-11-05: answers come by a stream, messages by requests that may reach any
 * API process, which hands them by Redis to the one that holds the stream. A session's channel is
 * named after its key too, so another key's message finds nobody, as if there were no session.
 */
export function sseInterface(context: Context, invoke: Invoke, life: Life, messagesPath: string) {
  const pubSub = openPubSub(context.config.redisUrl, context.log);
  const leases = openLeases(context.queue, 'streams', STREAMS_MAX);
  const streams = new Set<Stream>();
  life.ending.addEventListener('abort', () => streams.forEach(end));

  async function open(ctx: HttpContext): Promise<void> {
    const token = tokenOf(ctx.req, 'any');
    const caller = await authenticate(context, token, 'any');
    ctx.state.agentId = caller.agentId;
    const groups = groupsOf(ctx.query.tools);
    ctx.set({ 'Cache-Control': 'no-cache, no-transform', 'X-Accel-Buffering': 'no' });
    if (ctx.method === 'HEAD') return void (ctx.body = '');
    if (life.ending.aborted || !context.queue.ready()) throw away();

    const [session, out, ended] = [randomUUID(), new PassThrough(), new AbortController()];
    setMaxListeners(0, ended.signal); // Each call that waits has one.
    const stream: Stream = { session, token: token!, caller, out, ended };
    ended.signal.addEventListener('abort', () => {
      streams.delete(stream);
      leases.release(caller.agentId, session);
    });
    streams.add(stream);
    ctx.res.once('close', () => end(stream));
    if (ctx.res.destroyed) return end(stream); // The client has gone already.
    await connect(stream, () => listTools(groups, caller)).catch((error: unknown) => {
      end(stream);
      throw error instanceof Refusal ? error : away(error);
    });
    if (life.ending.aborted) throw away();
    if (ended.signal.aborted) return;

    watch(stream);
    ctx.set('Content-Type', 'text/event-stream');
    ctx.body = out;
    write(stream, `event: endpoint\ndata: ${messagesPath}?sessionId=${session}\n\n`);
  }

  /** Takes a seat, then listens to what is posted for this stream. */
  async function connect(stream: Stream, list: () => ReturnType<typeof listTools>): Promise<void> {
    const { session, caller, ended } = stream;
    if (!(await leases.acquire(caller.agentId, session))) throw tooMany();
    const leave = await pubSub.subscribe(channelOf(caller, session), (sealed) => {
      hear(stream, sealed, list).catch((error: unknown) => {
        context.log.error({ err: error }, 'a message of a stream could not be answered');
      });
    });
    if (ended.signal.aborted) return leave();
    ended.signal.addEventListener('abort', leave);
  }

  async function post(ctx: HttpContext): Promise<void> {
    const caller = await authenticate(context, tokenOf(ctx.req, 'any'), 'any');
    ctx.state.agentId = caller.agentId;
    const { sessionId: session } = ctx.query;
    const message = await readMessage(ctx);
    if (message === undefined) return;
    if (messagesIn(message).length === 0 || !messagesIn(message).every(isMessage)) {
      return answerBad(ctx, ProtocolErrorCode.InvalidRequest, 'This is no message of JSON-RPC.');
    }
    const { requestId } = ctx.state;
    const heard =
      typeof session === 'string' && UUID.test(session)
        ? await publish({ session, caller }, { requestId, message })
        : 0;
    if (heard === 0) {
      throw new Refusal('not_found', 'This session is not open. Open a new one: GET …/mcp/sse.');
    }
    ctx.status = 202;
    ctx.set('Content-Type', 'text/plain; charset=utf-8');
    ctx.body = 'Accepted';
  }

  /** Sealed: a message may hold a password or goods, and no secret goes through Redis. */
  async function publish(to: Pick<Stream, 'session' | 'caller'>, sent: Sent): Promise<number> {
    const sealed = context.secrets.seal(JSON.stringify(sent), whereOf(to));
    try {
      const channel = channelOf(to.caller, to.session);
      return await context.queue.redis.publish(channel, sealed.toString('base64'));
    } catch (error) {
      throw away(error);
    }
  }

  async function hear(stream: Stream, sealed: string, list: () => ReturnType<typeof listTools>) {
    const { token, caller, ended } = stream;
    if (!(await isGood(stream))) return end(stream);
    const text = context.secrets.open(Buffer.from(sealed, 'base64'), whereOf(stream));
    const { requestId, message } = JSON.parse(text) as Sent;
    for (const one of messagesIn(message) as JSONRPCMessage[]) {
      const state = { requestId, agentId: caller.agentId };
      const asking: Asking = { token, state, hears: true, disconnect: () => ended.signal };
      await answer(stream, one, serverFor(context, invoke, asking, list));
    }
  }

  /** False once the key was revoked; a database that is away says nothing about that. */
  const isGood = ({ token }: Stream): Promise<boolean> =>
    context.keys.find(token).then(Boolean, () => true);

  function watch(stream: Stream): void {
    const look = setInterval(() => {
      void isGood(stream).then((good) => good || end(stream));
    }, LOOK_MS);
    const keepAlive = setInterval(() => write(stream, ': still here\n\n'), KEEP_ALIVE_MS);
    stream.ended.signal.addEventListener('abort', () => {
      clearInterval(look);
      clearInterval(keepAlive);
    });
  }

  return { open, post };
}

interface Sent {
  readonly requestId: string;
  readonly message: unknown;
}

const tooMany = () =>
  new Refusal('rate_limited', 'You hold too many streams open. Close one first.', {
    streams_max: STREAMS_MAX,
  });

/** Each message has a server of its own, whose answers and progress go down the stream. */
async function answer(
  stream: Stream,
  message: JSONRPCMessage,
  server: ReturnType<typeof serverFor>,
): Promise<void> {
  const transport: Parameters<typeof server.connect>[0] = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send(said) {
      write(stream, `event: message\ndata: ${JSON.stringify(said)}\n\n`);
      return Promise.resolve();
    },
  };
  await server.connect(transport);
  transport.onmessage?.(message);
}

function write(stream: Stream, text: string): void {
  const { out, ended } = stream;
  if (ended.signal.aborted) return;
  if (out.writableLength + out.readableLength > UNREAD_BYTES_MAX) return end(stream);
  out.write(text);
}

function end({ out, ended }: Stream): void {
  ended.abort();
  out.end();
}

function isMessage(value: unknown): boolean {
  try {
    parseJSONRPCMessage(value);
    return true;
  } catch {
    return false;
  }
}

const channelOf = ({ keyId }: Caller, session: string) => `${PREFIX}:sse:${keyId}:${session}`;

const whereOf = ({ session, caller }: Pick<Stream, 'session' | 'caller'>) => ({
  table: 'mcp_session',
  column: 'message',
  row: session,
  owner: caller.keyId,
});

function away(cause?: unknown): Refusal {
  const message = 'Streams are not served at the moment. Use POST /api/v1/mcp, or try again soon.';
  const refusal = new Refusal('service_unavailable', message);
  if (cause) refusal.cause = cause;
  return refusal;
}
