import { PassThrough, Readable } from 'node:stream';

import type { RequestId } from '@modelcontextprotocol/server';

import { authenticate, KEY_NEEDED, tokenOf } from '../../../shared/domains/agents/authenticate.ts';
import { PLATFORM, type Caller } from '../../../shared/kernel/caller.ts';
import { holderOf, type Invoke } from '../../../shared/kernel/call.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import { Permit } from '../../../shared/platform/limiter.ts';
import type { Context } from '../../../shared/composition/context.ts';
import { keysInHeaders } from '../../arguments/idempotency_keys.ts';
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
  errorOf,
  messagesIn,
  readPosted,
  type PostedBody,
} from '../messages/posted_body.ts';
import type { ReadMessage } from '../messages/message.ts';
import { answerModern, isModern } from './modern.ts';
import { exchangeFor } from '../server.ts';
import { choiceOfQuery, listChoice, type Choice } from '../sets/choice.ts';
import { VERSIONS } from '../versions.ts';
import { compressedList, setList } from './list_answers.ts';

/**
 * Methods for clients without a key. They may call only the tools that need none. The last ones are
 * answered "method not found": many clients call them at the start, and sign in at a 401.
 */
const PUBLIC_METHODS = new RegExp(
  '^(initialize|server/discover|ping|notifications/.*|tools/(list|call)' +
    '|(prompts|resources)/list|logging/setLevel)$',
);
const BAD_VERSION = -32_000;

/** An address at which MCP is served, with its own rules. */
export interface Entry {
  readonly choose: (ctx: HttpContext) => Choice;
  readonly instructions?: string;
  /** Refuses bodies that this caller may not send here, beside the common checks. */
  readonly admit?: (caller: Caller | undefined, posted: PostedBody) => void;
  /** Adds what the client needs to get another token. */
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
    posted: PostedBody,
    caller: Caller | undefined,
  ): Promise<void> {
    const choice = entry.choose(ctx);
    const accepted = ctx.req.headers.accept ?? '';
    // A stream costs more than a body, so it needs a client that accepts one and wants progress.
    const streams = accepted.includes('text/event-stream') && asksProgress(posted);
    // A request is known by its key and its id, which is unique in one client only: a second client
    // with the same key may get `pending` for its own call. It finds the call by get_job.
    const requestOf = (id: RequestId) => ({ scope: `key ${caller?.keyId}`, id });
    const source: MessageSource = {
      ...sourceOf(ctx),
      takesProgress: streams,
      ...(!Array.isArray(posted) && { keys: keysInHeaders(ctx.req.headers) }),
      ...(caller && { cancellable: (id) => cancellations.begin(requestOf(id)) }),
    };
    const list = () => listChoice(choice, caller);
    const { instructions } = entry;
    const hasGeneric = choice.generic.length > 0;
    const cancel = (id: RequestId) => caller && cancellations.cancel(requestOf(id));
    const served = { source, list, caller, instructions, hasGeneric, cancel };
    const exchange = exchangeFor(context, invoke, served);
    if (isModern(ctx, posted)) return answerModern(ctx, posted, exchange.open);

    const version = ctx.req.headers['mcp-protocol-version'];
    if (version !== undefined && !VERSIONS.includes(String(version))) {
      const message = `Unsupported protocol version. We speak ${VERSIONS.join(', ')}.`;
      return answerBad(ctx, { code: BAD_VERSION, message });
    }
    if (streams) stream(ctx, posted, exchange);
    else await reply(ctx, posted, exchange);
  }

  function stream(ctx: HttpContext, posted: PostedBody, exchange: Exchange): void {
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

  /** The caller; undefined without a key. */
  async function callerOf(ctx: HttpContext): Promise<Caller | undefined> {
    const token = tokenOf(ctx.req);
    const caller =
      token === undefined ? undefined : await authenticate(context, token, { access: 'any' });
    if (caller) noteCaller(ctx.state, caller);
    return caller;
  }

  async function handle(ctx: HttpContext, posted: PostedBody, caller: Caller | undefined) {
    entry.admit?.(caller, posted);
    if (!caller) posted = withoutKey(ctx, posted);

    await countPosted(context, ctx, { caller, posted });
    // Reading a message is work already. Each call of a batch has its own permit.
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
    let posted: PostedBody | undefined;
    try {
      const caller = await callerOf(ctx).catch(async (error: unknown) => {
        // It is refused whatever it sends, but the answer needs the id of its request.
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

const isPublic = (message: ReadMessage): boolean =>
  'bad' in message || ('method' in message && PUBLIC_METHODS.test(message.method));

/** The messages of a caller without a key: of a batch, those that need one are refused alone. */
function withoutKey(ctx: HttpContext, posted: PostedBody): PostedBody {
  const messages = messagesIn(posted);
  if (messages.every(isPublic)) return posted;
  const refusal = new Refusal('authentication_required', KEY_NEEDED);
  if (!messages.some(isPublic)) throw refusal;
  const refused = errorOf(refusal, ctx.state.requestId);
  return messages.flatMap((one): ReadMessage[] => {
    if (isPublic(one)) return [one];
    return 'id' in one && one.id !== undefined ? [{ bad: { ...refused, id: one.id } }] : [];
  });
}

/** Answers with JSON: one answer, or those of a batch in the order of its requests. */
async function reply(ctx: HttpContext, posted: PostedBody, exchange: Exchange): Promise<void> {
  const messages = messagesIn(posted);
  const replies = new Map<ReadMessage, Reply>();
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
  const isList = 'method' in posted && posted.method === 'tools/list';
  if (isList) setList(ctx, exchange.list());
  const pieces = Array.isArray(posted)
    ? [...inOrder.flatMap((one, n) => [n === 0 ? '[' : ',', ...one]), ']']
    : inOrder.flat();
  // The pieces are not joined: all clients share one Buffer for a list of tools.
  const bytes = pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece));
  if (isList && ctx.acceptsEncodings('gzip', 'identity') === 'gzip') {
    ctx.set('Content-Encoding', 'gzip');
    ctx.body = await compressedList(exchange.list(), bytes);
    return;
  }
  ctx.body = Readable.from(bytes);
  ctx.length = bytes.reduce((sum, { length }) => sum + length, 0);
}
