import type { CallToolResult } from '@modelcontextprotocol/server';

import { authenticate } from '../../shared/agents/authenticate.ts';
import type { Answer, Invoke, CallBody, Disconnect } from '../../shared/kernel/call.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { errorBody } from '../../shared/kernel/error_body.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { invalid } from '../../shared/kernel/schema.ts';
import type { Context } from '../../shared/kernel/context.ts';
import { setAnswerHeaders, setErrorHeaders } from '../http/answer.ts';
import { refusalToTell } from '../http/errors.ts';
import { canWait, disconnectOf, waitPreferenceOf } from '../http/wait_preference.ts';
import { readObject, SenderGone, tokenOf } from '../http/request.ts';
import type { HttpContext, State } from '../http/routes.ts';
import { withoutNulls } from '../http/schemas.ts';
import { tellWaiting, type Progress } from './progress.ts';
import { tools } from './tools.ts';

/** A call of a tool: by `arguments`, with the key that stands beside them, if one does. */
export interface ToolCall {
  readonly op: AnyOperation;
  readonly args: unknown;
  readonly key: unknown;
  /** Told every second that its job is waited for. */
  readonly tell?: (progress: Progress) => unknown;
}

/** Who asks: a request of HTTP, or a message that came by another way. */
export interface Asking {
  readonly token: string | undefined;
  readonly state: State;
  /** Whether anything can be said before the answer. */
  readonly hears: boolean;
  /** Aborted when the caller disconnects. */
  readonly disconnect: () => Disconnect;
}

export const askingOf = ({ req, res, state }: HttpContext, hears = false): Asking => ({
  token: tokenOf(req, 'any'),
  state,
  hears,
  disconnect: () => disconnectOf(res),
});

/** What became of a tool call. A refusal is a result too: the model can read it and act on it. */
export interface Outcome {
  readonly answer: Answer;
  readonly result: CallToolResult;
}

/** Every tool call goes through here, whichever of MCP's doors it came in by. */
export async function callTool(
  context: Context,
  invoke: Invoke,
  { token, state, hears, disconnect }: Asking,
  call: ToolCall,
): Promise<Outcome> {
  const { op, tell } = call;
  let stopTelling: (() => void) | undefined;
  state.operation = op.name;
  try {
    const answer = await invoke(op, {
      token,
      read() {
        const given = givenOf(context, call);
        if (tell && canWait(op)) stopTelling = tellWaiting(given.waitMs, tell);
        return given;
      },
      dropUnknown: true,
      requestId: state.requestId,
      // What goes on beside its request is counted by itself.
      permit: hears ? undefined : state.permit,
      disconnect: canWait(op) ? disconnect() : undefined,
      onCaller: ({ agentId }) => (state.agentId = agentId),
    });
    return outcomeOf(answer);
  } catch (error) {
    return refusedOf(context, state, error);
  } finally {
    stopTelling?.();
  }
}

/**
 * `POST /api/v1/mcp/call`: one tool call without MCP around it, with the status REST would give.
 */
export async function handleCall(
  context: Context,
  invoke: Invoke,
  ctx: HttpContext,
): Promise<void> {
  const { answer, result } = await called(context, invoke, ctx);
  setAnswerHeaders(ctx, answer, { waitMs: 0 });
  if (result.isError) {
    const { error } = result.structuredContent as { error: string };
    setErrorHeaders(ctx, answer.status, error);
  }
  ctx.body = JSON.stringify(result);
}

async function called(context: Context, invoke: Invoke, ctx: HttpContext): Promise<Outcome> {
  try {
    const {
      tool,
      name = tool,
      params,
      parameters = params,
    } = (await readObject(ctx.req)) as {
      [field: string]: unknown;
    };
    if (typeof name !== 'string') {
      throw invalid([{ pointer: '/tool', message: 'must be the name of a tool' }]);
    }
    const op = tools.get(name);
    if (op) {
      const key = ctx.req.headers['idempotency-key'];
      return await callTool(context, invoke, askingOf(ctx), { op, args: parameters, key });
    }
    await authenticate(context, tokenOf(ctx.req, 'any'), 'any');
    throw new Refusal('not_found', 'There is no such tool. tools/list names them all.');
  } catch (error) {
    if (error instanceof SenderGone) throw error;
    return refusedOf(context, ctx.state, error);
  }
}

function givenOf(context: Context, { op, args = {}, key }: ToolCall): CallBody {
  if (args === null || typeof args !== 'object' || Array.isArray(args)) {
    throw invalid([{ pointer: '', message: 'must be an object of the fields of the tool' }]);
  }
  const { wait, idempotency_key: inner, ...input } = args as Record<string, unknown>;
  const chosen = inner ?? key;
  if (chosen !== undefined && typeof chosen !== 'string') {
    throw invalid([{ pointer: '/idempotency_key', message: 'must be a string' }]);
  }
  const { waitMs } = waitPreferenceOf(op, wait ?? undefined, undefined, context.config.api.waitMs);
  return { input: withoutNulls(op.input, input), key: chosen, waitMs };
}

const outcomeOf = (answer: Answer): Outcome => ({
  answer,
  result: {
    content: [{ type: 'text', text: answer.body }],
    structuredContent: JSON.parse(answer.body),
    ...(answer.status >= 400 && { isError: true }),
  },
});

function refusedOf(context: Context, state: State, error: unknown): Outcome {
  const refusal = refusalToTell(context.log, state, error);
  return outcomeOf({ status: refusal.status, body: errorBody(refusal, state.requestId) });
}
