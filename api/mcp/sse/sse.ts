import { authenticate, tokenOf } from '../../../shared/domains/agents/authenticate.ts';
import type { Invoke } from '../../../shared/kernel/call.ts';
import type { Context } from '../../../shared/composition/context.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import { openLeases } from '../../../shared/platform/shares/leases.ts';
import { keepPace } from '../../http/errors.ts';
import type { Lifecycle } from '../../http/health.ts';
import { noteCaller, type HttpContext } from '../../http/routes.ts';
import type { PubSub } from '../../../shared/platform/pubsub.ts';
import type { MessageSource } from '../calls/call.ts';
import type { Cancellations } from '../cancellations.ts';
import { answerMessages, eventOf, type Reply } from '../exchange.ts';
import { countPosted, messagesIn, readPosted } from '../messages/posted_body.ts';
import { exchangeFor } from '../server.ts';
import { openSubscriptions, type Subscriptions } from './subscriptions.ts';
import { openSseChannels, type PostedMessage } from './sse_channel.ts';
import {
  endStream,
  hasValidKey,
  newStream,
  noStreams,
  send,
  STREAMS_MAX,
  tooManyStreams,
  watchStream,
  type Stream,
} from '../../streams/stream.ts';
import { filterOf, listTools, type ToolList } from '../tools.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** State shared by all streams of a process. */
interface SharedState {
  readonly lifecycle: Lifecycle;
  readonly pubSub: PubSub;
  readonly cancellations: Cancellations;
}

/** Tools and instructions for the client of a stream. */
interface StreamOffer {
  readonly list: () => ToolList;
  readonly subscriptions: Subscriptions;
}

/**
 * The transport of 2024-11-05: answers come by a stream, messages by requests, which may reach any
 * API process.
 */
export function sseInterface(
  context: Context,
  invoke: Invoke,
  { lifecycle: { draining }, pubSub, cancellations }: SharedState,
  messagesPath: string,
) {
  const channels = openSseChannels(context, pubSub);
  const leases = openLeases(context.queue, 'streams', STREAMS_MAX);
  const streams = new Set<Stream>();
  draining.addEventListener('abort', () => streams.forEach(endStream));

  async function open(ctx: HttpContext): Promise<void> {
    const token = tokenOf(ctx.req);
    const caller = await authenticate(context, token, { access: 'any' });
    noteCaller(ctx.state, caller);
    const filter = filterOf(ctx.query.tools);
    ctx.set({ 'Cache-Control': 'no-cache, no-transform', 'X-Accel-Buffering': 'no' });
    if (ctx.method === 'HEAD') return void (ctx.body = '');
    if (draining.aborted || !context.queue.ready()) throw unavailable();

    const stream = newStream(token!, caller, ctx.state.address);
    const { session, out, ended } = stream;
    ended.signal.addEventListener('abort', () => {
      streams.delete(stream);
      leases.release(caller.agentId, session);
    });
    streams.add(stream);
    ctx.res.once('close', () => endStream(stream));
    if (ctx.res.destroyed) return endStream(stream); // The client has disconnected already.
    await connect(stream, () => listTools(filter, caller)).catch(async (error: unknown) => {
      endStream(stream);
      await keepPace(context, ctx.state, error);
      throw error instanceof Refusal ? error : unavailable(error);
    });
    if (draining.aborted) throw unavailable();
    if (ended.signal.aborted) return;

    watchStream(context, stream);
    ctx.set('Content-Type', 'text/event-stream');
    ctx.body = out;
    sendEvent(stream, 'endpoint', [`${messagesPath}?sessionId=${session}`]);
  }

  /** Acquires a lease, then subscribes to the messages that are posted for this stream. */
  async function connect(stream: Stream, list: () => ToolList): Promise<void> {
    const { session, caller, ended } = stream;
    if (!(await leases.acquire(caller.agentId, session))) throw tooManyStreams();
    const subscriptions = openSubscriptions(invoke, stream, {
      notify: (uri) => sendEvent(stream, 'message', [JSON.stringify(updated(uri))]),
      onFault: (error) => context.log.error({ err: error }, 'the subscriptions of a stream failed'),
    });
    const unsubscribe = await channels.subscribe(stream, (posted) => {
      receive(stream, posted, { list, subscriptions }).catch((error: unknown) => {
        context.log.error({ err: error }, 'a message of a stream could not be answered');
      });
    });
    if (ended.signal.aborted) return unsubscribe();
    ended.signal.addEventListener('abort', unsubscribe);
  }

  async function post(ctx: HttpContext): Promise<void> {
    const caller = await authenticate(context, tokenOf(ctx.req), { access: 'any' });
    noteCaller(ctx.state, caller);
    const { sessionId: session } = ctx.query;
    const message = await readPosted(ctx);
    if (message === undefined) return;
    try {
      await countPosted(context, ctx, { caller, posted: message });
    } catch (error) {
      await keepPace(context, ctx.state, error);
      throw error;
    }
    const posted = { requestId: ctx.state.requestId, message };
    const isSession = typeof session === 'string' && UUID.test(session);
    const receivers = isSession
      ? await channels.publish({ session, caller }, posted).catch((error: unknown) => {
          throw unavailable(error);
        })
      : 0;
    if (receivers === 0) {
      throw new Refusal('not_found', 'This session is not open. Open a new one: GET …/mcp/sse.');
    }
    ctx.status = 202;
    ctx.set('Content-Type', 'text/plain; charset=utf-8');
    ctx.body = 'Accepted';
  }

  async function receive(stream: Stream, posted: () => PostedMessage, offered: StreamOffer) {
    if (!(await hasValidKey(context, stream))) return endStream(stream);
    const { session: scope, token, caller, address, ended } = stream;
    const { requestId, message } = posted();
    const source: MessageSource = {
      token,
      state: { requestId, address, agentId: caller.agentId },
      takesProgress: true,
      disconnect: () => ended.signal,
      cancellable: (id) => cancellations.begin({ scope, id }),
    };
    const cancel = (id: string | number) => cancellations.cancel({ scope, id });
    const exchange = exchangeFor(context, invoke, { source, caller, cancel, ...offered });
    await answerMessages(exchange, messagesIn(message), (reply) =>
      sendEvent(stream, 'message', reply),
    );
  }

  return { open, post };
}

const unavailable = (cause?: unknown) =>
  noStreams('Use POST /api/v1/mcp, or try again soon.', cause);

const updated = (uri: string) => ({
  jsonrpc: '2.0',
  method: 'notifications/resources/updated',
  params: { uri },
});

const sendEvent = (stream: Stream, event: string, data: Reply) =>
  send(stream, eventOf(event, data));
