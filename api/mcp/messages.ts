import {
  isJSONRPCRequest,
  parseJSONRPCMessage,
  ProtocolErrorCode,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/server';

import { PLATFORM, type Caller } from '../../shared/agents/caller.ts';
import { errorBody } from '../../shared/composition/error_body.ts';
import type { Context } from '../../shared/kernel/context.ts';
import { countCalls } from '../../shared/composition/count_calls.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { refuseUnstorable } from '../../shared/kernel/storable.ts';
import { setErrorHeaders, setRateLimitHeaders } from '../http/answer.ts';
import { readJson } from '../http/request.ts';
import type { HttpContext } from '../http/routes.ts';
import { moveKeysToMeta } from './calls/tool_arguments.ts';

/** Of a batch, so that no request holds up the others for long. */
export const MESSAGES_MAX = 50;

/** What was posted: a message of JSON-RPC, or a batch of them. */
export type Posted = JSONRPCMessage | JSONRPCMessage[];

/** The body; undefined: it is no message, and the client is answered so, by JSON-RPC. */
export async function readPosted(ctx: HttpContext): Promise<Posted | undefined> {
  try {
    const posted = await readJson(ctx);
    const messages = messagesIn(posted);
    // Before they are looked at: that takes longer than reading them.
    if (messages.length > MESSAGES_MAX) {
      const message = `A batch may hold at most ${MESSAGES_MAX} messages. Nothing was done.`;
      return answerBad(ctx, { code: ProtocolErrorCode.InvalidRequest, message });
    }
    refuseUnstorable(posted);
    if (messages.length > 0 && messages.every(isMessage)) {
      for (const one of messages) moveKeysToMeta(one as { params?: object });
      return posted as Posted;
    }
    const message = 'This is no message of JSON-RPC.';
    return answerBad(ctx, { code: ProtocolErrorCode.InvalidRequest, message });
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'validation_error') throw error;
    return answerBad(ctx, { code: ProtocolErrorCode.ParseError, message: error.message });
  }
}

function isMessage(value: unknown): boolean {
  try {
    parseJSONRPCMessage(value);
    return true;
  } catch {
    return false;
  }
}

interface BadMessage {
  readonly code: number;
  readonly message: string;
  /** Of the request, where one could be read. */
  readonly id?: RequestId | null;
  readonly data?: object;
}

/** Refuses what was posted, by JSON-RPC. */
export function answerBad(
  ctx: HttpContext,
  { code, message, id = null, data }: BadMessage,
  status = 400,
): undefined {
  ctx.status = status;
  ctx.body = JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } });
}

/**
 * Refuses the whole request, with the status of REST and its error body as data: some clients look
 * at the status only, others at the error of the id that they sent.
 */
export function answerRefusal(ctx: HttpContext, refusal: Refusal, posted?: Posted): void {
  const code =
    refusal.status < 500 ? ProtocolErrorCode.InvalidRequest : ProtocolErrorCode.InternalError;
  const { message } = refusal;
  const id = posted && 'id' in posted ? (posted.id ?? null) : null;
  const data = JSON.parse(errorBody(refusal, ctx.state.requestId)) as object;
  setErrorHeaders(ctx, refusal.status, refusal.code);
  answerBad(ctx, { code, message, id, data }, refusal.status);
}

/** Counts each request among these messages as a call of this caller, or refuses them all. */
export async function countPosted(
  context: Context,
  ctx: HttpContext,
  { caller = PLATFORM, posted }: { caller?: Caller | undefined; posted: Posted },
): Promise<void> {
  await countCalls(context, {
    caller,
    address: ctx.state.address,
    calls: Math.max(1, messagesIn(posted).filter(isJSONRPCRequest).length),
    onRateLimit: (limit) => setRateLimitHeaders(ctx, limit),
  });
}

export const messagesIn = <T>(posted: T | T[]): T[] => [posted].flat() as T[];

/** Whether a tool call in it asks for progress. */
export const asksProgress = (posted: Posted): boolean =>
  messagesIn(posted).some(
    (one) =>
      'method' in one &&
      one.method === 'tools/call' &&
      fieldsOf(one.params?._meta).progressToken !== undefined,
  );

const fieldsOf = (value: unknown) => (value ?? {}) as Record<string, unknown>;
