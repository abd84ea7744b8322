import { PassThrough, Readable } from 'node:stream';

import { type JSONRPCMessage, type RequestId } from '@modelcontextprotocol/server';

import { authenticate, KEY_NEEDED, tokenOf } from '../../../shared/agents/authenticate.ts';
import { PLATFORM, type Caller } from '../../../shared/agents/caller.ts';
import { holderOf, type Invoke } from '../../../shared/kernel/call.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import { Permit } from '../../../shared/platform/limiter.ts';
import type { Context } from '../../../shared/kernel/context.ts';
import { keepPace, refusalFor } from '../../http/errors.ts';
import { SenderDisconnected } from '../../http/request.ts';
import { noteCaller, type HttpContext } from '../../http/routes.ts';
import { sourceOf, type MessageSource } from '../calls/call.ts';
import type { Cancellations } from '../cancellations.ts';
import { answerMessages, eventOf, type Exchange, type Reply } from '../exchange.ts';
import {
  answerBad,
  answerRefusal,
  asksProgress,
  countPosted,
  messagesIn,
  readPosted,
  type Posted,
} from '../messages.ts';
import { answerModern, isModern } from './modern.ts';
import { serverFor } from '../server.ts';
import { choiceOfQuery, listChoice, type Choice } from '../sets/choice.ts';
import { VERSIONS } from '../versions.ts';

/** The methods for clients without a key; of the tools they may call those that need none. */
const PUBLIC_METHODS = /^(initialize|server\/discover|ping|notifications\/.*|tools\/(list|call))$/;
const BAD_VERSION = -32_000;

/** An address at which MCP is served, and how it differs from others. */
export interface Entry {
  readonly choose: (ctx: HttpContext) => Choice;
  readonly instructions?: string;
  /** Refuses what this caller may not send here, beside what no caller may. */
  readonly admit?: (caller: Caller | undefined, posted: Posted) => void;
  /** Adds to the answer what its client needs to get another token. */
  readonly onRefusal?: (ctx: HttpContext, refusal: Refusal) => void;
}

const WITH_KEYS: Entry = { choose: (ctx) => choiceOfQuery(ctx.query.tools) };

/** `POST /api/v1/mcp`. No state outlives a message, so any API process can answer it. */
export function streamableHttp(
  context: Context,
  invoke: Invoke,
  cancellations: Cancellations,
  entry: Entry = WITH_KEYS,
): (ctx: HttpContext) => Promise<void> {
  async function answer(
    ctx: HttpContext,
    posted: Posted,
    caller: Caller | undefined,
  ): Promise<void> {
    const choice = entry.choose(ctx);
    const accepted = ctx.req.headers.accept ?? '';
    // A stream costs more than a body, so it is only for clients that accept one and want progress.
    const streams = accepted.includes('text/event-stream') && asksProgress(posted);
    // A client is known by its key, and its requests by ids that are unique in one client only: a
    // second client of the same key may hear `pending` for its own call. It finds it by get_job.
    const requestOf = (id: RequestId) => ({ scope: `key ${caller?.keyId}`, id });
    const source: MessageSource = {
      ...sourceOf(ctx),
      takesProgress: streams,
      ...(!Array.isArray(posted) && { key: ctx.req.headers['idempotency-key'] }),
      ...(caller && { cancellable: (id) => cancellations.begin(requestOf(id)) }),
    };
    const list = () => listChoice(choice, caller);
    const { instructions } = entry;
    const hasGeneric = choice.generic.length > 0;
    const served = { source, list, caller, instructions, hasGeneric };
    const exchange: Exchange = {
      list,
      open: () => serverFor(context, invoke, served),
      cancel: (id) => caller && cancellations.cancel(requestOf(id)),
    };
    if (isModern(ctx, posted)) return answerModern(ctx, posted, exchange.open);

    const version = ctx.req.headers['mcp-protocol-version'];
    if (version !== undefined && !VERSIONS.includes(String(version))) {
      const message = `Unsupported protocol version. We speak ${VERSIONS.join(', ')}.`;
      return answerBad(ctx, { code: BAD_VERSION, message });
    }
    if (streams) stream(ctx, posted, exchange);
    else await reply(ctx, posted, exchange);
  }

  function stream(ctx: HttpContext, posted: Posted, exchange: Exchange): void {
    const out = new PassThrough();
    const send = (reply: Reply) => {
      if (!out.destroyed) for (const piece of eventOf('message', reply)) out.write(piece);
    };
    answerMessages(exchange, messagesIn(posted), send)
      .catch((error: unknown) => context.log.error({ err: error }, 'a message was not answered'))
      .finally(() => out.end());
    ctx.set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
    ctx.body = out;
  }

  /** Whose request it is. */
  async function callerOf(ctx: HttpContext): Promise<Caller | undefined> {
    const token = tokenOf(ctx.req);
    const caller =
      token === undefined ? undefined : await authenticate(context, token, { access: 'any' });
    if (caller) noteCaller(ctx.state, caller);
    return caller;
  }

  async function handle(ctx: HttpContext, posted: Posted, caller: Caller | undefined) {
    entry.admit?.(caller, posted);
    if (!caller && !messagesIn(posted).every(isPublic)) throw keyless();

    await countPosted(context, ctx, { caller, posted });
    // Reading a message is work already. The calls of a batch have a permit each.
    const permit = new Permit(context.limiters.calls);
    permit.acquire(holderOf({ caller: caller ?? PLATFORM, address: ctx.state.address }));
    if (Array.isArray(posted)) permit.release();
    else ctx.state.permit = permit;
    try {
      await answer(ctx, posted, caller);
    } finally {
      permit.release();
    }
  }

  return async (ctx) => {
    let posted: Posted | undefined;
    try {
      const caller = await callerOf(ctx).catch(async (error: unknown) => {
        // Refused whatever it sends, but the answer needs the id of its request.
        if (isWrongKey(error)) posted = await readPosted(ctx).catch(() => undefined);
        throw error;
      });
      posted = await readPosted(ctx);
      if (posted !== undefined) await handle(ctx, posted, caller);
    } catch (error) {
      if (error instanceof SenderDisconnected) throw error;
      await keepPace(context, ctx.state, error);
      const refusal = refusalFor(context.log, ctx.state, error);
      answerRefusal(ctx, refusal, posted);
      entry.onRefusal?.(ctx, refusal);
    }
  };
}

const isWrongKey = (error: unknown) => error instanceof Refusal && error.code === 'invalid_key';

const isPublic = (message: JSONRPCMessage): boolean =>
  'method' in message && PUBLIC_METHODS.test(message.method);

const keyless = () => new Refusal('authentication_required', KEY_NEEDED);

/** As JSON: an answer, or those of a batch in the order of its requests. */
async function reply(ctx: HttpContext, posted: Posted, exchange: Exchange): Promise<void> {
  const messages = messagesIn(posted);
  const replies = new Map<JSONRPCMessage, Reply>();
  await answerMessages(exchange, messages, (one, message) => replies.set(message, one));
  const inOrder = messages.flatMap((message) => {
    const one = replies.get(message);
    return one ? [one] : [];
  });
  if (inOrder.length === 0) {
    ctx.body = '';
    ctx.remove('Content-Type');
    ctx.status = 202;
    return;
  }
  const pieces = Array.isArray(posted)
    ? [...inOrder.flatMap((one, n) => [n === 0 ? '[' : ',', ...one]), ']']
    : inOrder.flat();
  // Not joined: a list of tools is one Buffer for all clients, however slowly they read it.
  const bytes = pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece));
  ctx.body = Readable.from(bytes);
  ctx.length = bytes.reduce((sum, { length }) => sum + length, 0);
}
