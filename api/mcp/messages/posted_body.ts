import { isJSONRPCRequest, ProtocolErrorCode } from '@modelcontextprotocol/server';

import { PLATFORM, type Caller } from '../../../shared/kernel/caller.ts';
import { errorBody } from '../../../shared/composition/error_body.ts';
import type { Context } from '../../../shared/composition/context.ts';
import { countCalls } from '../../../shared/composition/invoke/count_calls.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import { setErrorHeaders, setRateLimitHeaders } from '../../http/answer.ts';
import { readText } from '../../http/request.ts';
import type { HttpContext } from '../../http/routes.ts';
import { errorText, readMessage, type BadMessage, type ReadMessage } from './message.ts';
import { rawIdsIn } from './request_ids.ts';

/** Maximum messages in a batch, so that no request holds up the others for long. */
const MESSAGES_MAX = 50;

/** A posted body: a JSON-RPC message, or a batch of them. */
export type PostedBody = ReadMessage | ReadMessage[];

/** Reads the body; undefined: it is not a message, and the client was told so by JSON-RPC. */
export async function readPosted(ctx: HttpContext): Promise<PostedBody | undefined> {
  try {
    const { value, text } = await readText(ctx);
    const sent = messagesIn(value);
    const message =
      sent.length === 0
        ? 'This is an empty batch.'
        : `A batch may hold at most ${MESSAGES_MAX} messages. Nothing was done.`;
    // Checked before the messages are looked at, which takes longer than reading them.
    if (sent.length === 0 || sent.length > MESSAGES_MAX) {
      return answerBad(ctx, { code: ProtocolErrorCode.InvalidRequest, message });
    }
    const raw = sent.some(hasInexactId) ? rawIdsIn(text) : undefined;
    const messages = sent.map((one, n) => readMessage(one, raw?.get(n)));
    if (!messages.every(isNone)) return Array.isArray(value) ? messages : messages[0];
    const errors = messages.map((one) => errorText(one as BadMessage)).join(',');
    ctx.status = 400;
    ctx.body = Array.isArray(value) ? `[${errors}]` : errors;
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'validation_error') throw error;
    return answerBad(ctx, { code: ProtocolErrorCode.ParseError, message: error.message });
  }
}

/** Whether it is no request at all. One with wrong params is answered like any other. */
const isNone = (message: ReadMessage): boolean =>
  'bad' in message && message.bad.code === ProtocolErrorCode.InvalidRequest;

const hasInexactId = (sent: unknown): boolean => {
  const { id } = (sent ?? {}) as { id?: unknown };
  return typeof id === 'number' && !Number.isSafeInteger(id);
};

/** Refuses the body with a JSON-RPC error. */
export function answerBad(
  ctx: HttpContext,
  { id = null, ...error }: Omit<BadMessage['bad'], 'id'> & Partial<BadMessage['bad']>,
  status = 400,
): undefined {
  ctx.status = status;
  ctx.body = errorText({ bad: { id, ...error } });
}

/**
 * Refuses the whole request with REST's status, and with its error body as data: some clients look
 * only at the status, others at the error under the id that they sent.
 */
export function answerRefusal(ctx: HttpContext, refusal: Refusal, posted?: PostedBody): void {
  const id = posted && 'id' in posted ? (posted.id ?? null) : null;
  setErrorHeaders(ctx, refusal.status, refusal.code);
  answerBad(ctx, { ...errorOf(refusal, ctx.state.requestId), id }, refusal.status);
}

/** A refusal as an error of JSON-RPC. */
export function errorOf(refusal: Refusal, requestId: string): Omit<BadMessage['bad'], 'id'> {
  const { InvalidRequest, InternalError } = ProtocolErrorCode;
  const data = JSON.parse(errorBody(refusal, requestId)) as object;
  const code = refusal.status < 500 ? InvalidRequest : InternalError;
  return { code, message: refusal.message, data };
}

/** Counts each request among these messages as a call of this caller, or refuses them all. */
export async function countPosted(
  context: Context,
  ctx: HttpContext,
  { caller = PLATFORM, posted }: { caller?: Caller | undefined; posted: PostedBody },
): Promise<void> {
  const isAnswered = (one: ReadMessage) => 'bad' in one || isJSONRPCRequest(one);
  await countCalls(context, {
    caller,
    address: ctx.state.address,
    calls: Math.max(1, messagesIn(posted).filter(isAnswered).length),
    onRateLimit: (limit) => setRateLimitHeaders(ctx, limit),
  });
}

type Item<T> = T extends readonly (infer I)[] ? I : T;

export const messagesIn = <T>(posted: T): Item<T>[] => [posted].flat() as Item<T>[];

/** Whether a tool call in the body asks for progress. */
export const asksProgress = (posted: PostedBody): boolean =>
  messagesIn(posted).some(
    (one) =>
      'method' in one &&
      one.method === 'tools/call' &&
      fieldsOf(one.params?._meta).progressToken !== undefined,
  );

const fieldsOf = (value: unknown) => (value ?? {}) as Record<string, unknown>;
