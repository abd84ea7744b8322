import { ProtocolErrorCode } from '@modelcontextprotocol/server';

import { Refusal } from '../../shared/kernel/refusal.ts';
import { refuseUnstorable } from '../../shared/kernel/storable.ts';
import { readJson } from '../http/request.ts';
import type { HttpContext } from '../http/routes.ts';

/** The body; undefined: it is not JSON, and the client is answered so, by JSON-RPC. */
export async function readMessage(ctx: HttpContext): Promise<unknown> {
  try {
    const message = await readJson(ctx.req);
    refuseUnstorable(message);
    return message;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'validation_error') throw error;
    answerBad(ctx, ProtocolErrorCode.ParseError, error.message);
    return undefined;
  }
}

export function answerBad(ctx: HttpContext, code: number, message: string): void {
  ctx.status = 400;
  ctx.body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });
}

/** The methods that a message or a batch calls. */
export const methodsIn = (message: unknown): string[] =>
  messagesIn(message).map((one) => String(fieldsOf(one).method));

/** Whether a tool call in it asks for progress. */
export const asksProgress = (message: unknown): boolean =>
  messagesIn(message).some((one) => {
    const { method, params } = fieldsOf(one);
    return method === 'tools/call' && fieldsOf(fieldsOf(params)._meta).progressToken !== undefined;
  });

export const messagesIn = (message: unknown): unknown[] => [message].flat();

const fieldsOf = (value: unknown) => (value ?? {}) as Record<string, unknown>;
