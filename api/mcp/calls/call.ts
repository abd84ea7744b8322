import type { CallToolResult, RequestId } from '@modelcontextprotocol/server';

import { authenticate, tokenOf } from '../../../shared/domains/agents/authenticate.ts';
import { PLATFORM } from '../../../shared/kernel/caller.ts';
import type { Answer, Invoke, Disconnect } from '../../../shared/kernel/call.ts';
import type { RateLimit } from '../../../shared/kernel/tx.ts';
import { errorBody } from '../../../shared/composition/error_body.ts';
import { countCalls } from '../../../shared/composition/invoke/count_calls.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import { withEscapes } from '../../../shared/kernel/text.ts';
import type { Context } from '../../../shared/composition/context.ts';
import { keysInHeaders } from '../../arguments/idempotency_keys.ts';
import { withIgnored } from '../../arguments/ignored.ts';
import { setAnswerHeaders, setErrorHeaders, setRateLimitHeaders } from '../../http/answer.ts';
import { keepPace, refusalFor } from '../../http/errors.ts';
import { canWait, disconnectOf } from '../../http/wait_preference.ts';
import { SenderDisconnected } from '../../http/request.ts';
import { noteCaller, type HttpContext, type State } from '../../http/routes.ts';
import { paymentIn } from '../../x402/payment_headers.ts';
import { withPayment } from '../../x402/tool_payments.ts';
import type { Cancellable } from '../cancellations.ts';
import { reportProgress, type Progress } from '../progress.ts';
import { noSuch, tools } from '../tool_names.ts';
import { textOf } from './long_text.ts';
import { readCall } from './posted_call.ts';
import { bodyOf, OF_CLIENTS, type ToolArguments } from './tool_arguments.ts';

/** A call of a tool. */
export interface ToolCall extends ToolArguments {
  /** The x402 payment sent beside the arguments, if any. */
  readonly payment?: (() => unknown) | undefined;
  /** The id of its JSON-RPC request, by which it can be cancelled. */
  readonly id?: RequestId;
  /** Called every second while a job is waited for. */
  readonly onProgress?: (progress: Progress) => unknown;
}

/** The source of a message: an HTTP request, or a stream. */
export interface MessageSource {
  readonly token: string | undefined;
  readonly state: State;
  /** Whether progress can be sent before the answer. */
  readonly takesProgress: boolean;
  /** Aborted when the caller disconnects. */
  readonly disconnect: () => Disconnect;
  /** Begins a call that can be cancelled. Absent: calls cannot be cancelled. */
  readonly cancellable?: (id: RequestId) => Cancellable;
  /** The Idempotency-Key headers of its request, if that is a single message. */
  readonly keys?: readonly unknown[];
  /** Called for each limit that counts a call, if the answer has headers to report it. */
  readonly onRateLimit?: (limit: RateLimit) => void;
}

export const sourceOf = ({ req, res, state }: HttpContext): MessageSource => ({
  token: tokenOf(req),
  state,
  takesProgress: false,
  disconnect: () => disconnectOf(res),
});

/**
 * The answer of a tool call, also in MCP's form. Refusals are results, so that a model can read
 * them and act on them.
 */
export interface ToolAnswer {
  readonly answer: Answer;
  readonly result: CallToolResult;
}

/** Invokes the operation of a tool, for each of the interfaces of MCP. */
export async function callTool(
  context: Context,
  invoke: Invoke,
  { token, state, takesProgress, disconnect, cancellable, onRateLimit }: MessageSource,
  call: ToolCall,
): Promise<ToolAnswer> {
  const { op, id, onProgress } = call;
  const cancellation = id !== undefined && canWait(op) ? cancellable?.(id) : undefined;
  let stopProgress: (() => void) | undefined;
  state.operation = op.name;
  try {
    const answer = await invoke(op, {
      token,
      read() {
        const body = bodyOf(context, call);
        if (onProgress && canWait(op)) stopProgress = reportProgress(body.waitMs, onProgress);
        return body;
      },
      // Only a read may ignore an unknown argument: ignoring a limit would be a lie.
      dropUnknown: op.mode === 'read',
      requestId: state.requestId,
      address: state.address,
      isCounted: true,
      // A call that outlives its request has its own permit.
      permit: takesProgress ? undefined : state.permit,
      disconnect: canWait(op) ? either(disconnect(), cancellation?.signal) : undefined,
      onCaller: (caller) => noteCaller(state, caller),
      onRateLimit,
      payment: call.payment,
    });
    const named = withIgnored(answer, { ...call, addedByClients: OF_CLIENTS });
    const told = toolAnswer(named, cancellation?.signal.aborted);
    return { answer, result: withPayment(told.result, context.config, op, answer) };
  } catch (error) {
    const refused = toolRefusal(context, state, error);
    const due = isKeyless(error) ? await dueOf(context, invoke, state, call) : undefined;
    return { ...refused, result: withPayment(refused.result, context.config, op, { due }) };
  } finally {
    stopProgress?.();
    cancellation?.end();
  }
}

/** `POST /api/v1/mcp/call`: one tool call without JSON-RPC, answered with the status of REST. */
export async function handleCall(
  context: Context,
  invoke: Invoke,
  ctx: HttpContext,
): Promise<void> {
  const { answer, result } = await callByName(context, invoke, ctx);
  setAnswerHeaders(ctx, answer, { waitMs: 0 });
  if (result.isError) {
    const { error } = result.structuredContent as { error: string };
    setErrorHeaders(ctx, answer.status, error);
  }
  ctx.body = JSON.stringify(result);
}

async function callByName(context: Context, invoke: Invoke, ctx: HttpContext): Promise<ToolAnswer> {
  const token = tokenOf(ctx.req);
  try {
    // A wrong key is refused before the body is read. Without a key, every body is refused except
    // the call of a tool that needs none.
    const caller =
      token === undefined ? PLATFORM : await authenticate(context, token, { access: 'any' });
    if (token !== undefined) noteCaller(ctx.state, caller);
    const onRateLimit = (limit: RateLimit) => setRateLimitHeaders(ctx, limit);
    await countCalls(context, { caller, address: ctx.state.address, onRateLimit });
    const { tool, ...posted } = await readCall(ctx).catch(async (error: unknown) => {
      if (isBodyRefusal(error)) await authenticate(context, token, { access: 'any' });
      throw error;
    });
    const op = tools.get(tool);
    if (op) {
      const keys = [...keysInHeaders(ctx.req.headers), ...posted.keys];
      const source = { ...sourceOf(ctx), onRateLimit };
      const payment = paymentIn(ctx.req);
      return await callTool(context, invoke, source, { op, ...posted, keys, payment });
    }
    await authenticate(context, token, { access: 'any' });
    const list = 'tools/list names them all.';
    throw new Refusal('not_found', noSuch('tool', tool, tools.keys(), list));
  } catch (error) {
    if (error instanceof SenderDisconnected) throw error;
    await keepPace(context, ctx.state, error);
    return toolRefusal(context, ctx.state, error);
  }
}

const isBodyRefusal = (error: unknown): boolean =>
  error instanceof Refusal && ['validation_error', 'payload_too_large'].includes(error.code);

const isKeyless = (error: unknown): boolean =>
  error instanceof Refusal && error.code === 'authentication_required';

/** The price of a call without a key, if it can be paid for by x402. */
async function dueOf(
  context: Context,
  invoke: Invoke,
  { requestId, address }: State,
  call: ToolCall,
): Promise<Answer['due']> {
  if (!context.config.x402 || !call.op.paid?.soldWithoutKey) return undefined;
  const asked = await invoke(call.op, {
    token: undefined,
    read: () => bodyOf(context, call),
    dropUnknown: true,
    requestId,
    address,
    isCounted: true,
    isForSale: true,
  }).catch((error: unknown) => {
    // A caller without a key learns about its input only that it needs a key.
    if (error instanceof Refusal) return undefined;
    throw error;
  });
  return asked?.due;
}

const CANCELLED = {
  type: 'text' as const,
  text:
    'You no longer wait for this call. It had been accepted, so it goes on, and no money comes ' +
    'back: ask get_job how it ends.',
};

/** Only refusals are errors: a pending or deferred call (202) is not. */
function toolAnswer(given: Answer, isCancelled = false): ToolAnswer {
  const answer = { ...given, body: withEscapes(given.body) }; // A model reads this text as it is.
  const structuredContent = JSON.parse(answer.body) as Readonly<Record<string, unknown>>;
  return {
    answer,
    result: {
      content: [
        { type: 'text', text: textOf(answer.body, structuredContent) },
        ...(isCancelled && answer.status === 202 ? [CANCELLED] : []),
      ],
      structuredContent,
      ...(answer.status >= 400 && { isError: true }),
    },
  };
}

/** Aborted when either is. */
const either = (one: Disconnect, other: Disconnect | undefined): Disconnect =>
  !other
    ? one
    : {
        get aborted() {
          return one.aborted || other.aborted;
        },
        addEventListener(event, listener) {
          for (const source of [one, other]) source.addEventListener(event, listener);
        },
        removeEventListener(event, listener) {
          for (const source of [one, other]) source.removeEventListener(event, listener);
        },
      };

/** The refusal of a tool call for an error, also in MCP's form. */
export function toolRefusal(context: Context, state: State, error: unknown): ToolAnswer {
  const refusal = refusalFor(context.log, state, error);
  return toolAnswer({ status: refusal.status, body: errorBody(refusal, state.requestId) });
}
