import { catalog } from '../../shared/composition/catalog.ts';
import type { Context } from '../../shared/composition/context.ts';
import { countCalls } from '../../shared/composition/invoke/count_calls.ts';
import { authenticate, tokenOf } from '../../shared/domains/agents/authenticate.ts';
import { takesKey, type Invoke } from '../../shared/kernel/call.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { documentRoute, JSON_TYPE } from '../docs/document.ts';
import { setRateLimitHeaders } from '../http/answer.ts';
import { refusalFor } from '../http/errors.ts';
import { readJson, SenderDisconnected } from '../http/request.ts';
import { noteCaller, type HttpContext, type Route } from '../http/routes.ts';
import { disconnectOf } from '../http/wait_preference.ts';
import { agentCard, PATH } from './agent_card.ts';
import { METHODS, type Ask } from './methods.ts';
import { PROTOCOL_VERSION, refused, RpcError } from './wire.ts';

/** The task board by A2A 1.0 (JSON-RPC), and the card by which agents find it. */
export const a2aRoutes = (context: Context, invoke: Invoke): Route[] => [
  documentRoute('/.well-known/agent-card.json', {
    type: JSON_TYPE,
    read: () => JSON.stringify(agentCard(context.config.api.publicUrl)),
  }),
  { route: `POST ${PATH}`, handle: (ctx) => answer(context, invoke, ctx) },
];

async function answer(context: Context, invoke: Invoke, ctx: HttpContext): Promise<void> {
  const caller = await authenticate(context, tokenOf(ctx.req), { access: 'any' });
  noteCaller(ctx.state, caller);
  await countCalls(context, {
    caller,
    address: ctx.state.address,
    onRateLimit: (limit) => setRateLimitHeaders(ctx, limit),
  });
  let id: unknown = null;
  let outcome: object;
  try {
    const request = requestIn(await bodyOf(ctx));
    id = request.id;
    assertVersion(ctx);
    const method = METHODS[request.method];
    if (!method || !Object.hasOwn(METHODS, request.method)) throw unknown(request.method);
    outcome = { result: await method(askBy(context, invoke, ctx), request.params) };
  } catch (error) {
    if (error instanceof SenderDisconnected) throw error;
    const { code, message, data } =
      error instanceof RpcError ? error : errorOf(context, ctx, error);
    outcome = { error: { code, message, ...(data.length > 0 && { data }) } };
  }
  ctx.set('Content-Type', JSON_TYPE);
  ctx.body = JSON.stringify({ jsonrpc: '2.0', id, ...outcome });
}

async function bodyOf(ctx: HttpContext): Promise<unknown> {
  try {
    return await readJson(ctx);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'validation_error') throw error;
    throw new RpcError('parse_error', error.message);
  }
}

interface RpcRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

function requestIn(body: unknown): RpcRequest {
  const { jsonrpc, id, method, params = {} } = (body ?? {}) as Record<string, unknown>;
  const isId = typeof id === 'string' || typeof id === 'number';
  const isObject = typeof params === 'object' && params !== null && !Array.isArray(params);
  if (jsonrpc === '2.0' && isId && typeof method === 'string' && isObject) {
    return { id, method, params: params as RpcRequest['params'] };
  }
  throw new RpcError('invalid_request', 'Send one request of JSON-RPC 2.0 with an id.');
}

/** Clients of the version before send no header, and other names of methods. */
function assertVersion({ req }: HttpContext): void {
  const asked = String(req.headers['a2a-version'] ?? PROTOCOL_VERSION);
  if (/^1\.0(\.\d+)?$/.test(asked)) return;
  throw new RpcError('version_not_supported', `This is A2A ${PROTOCOL_VERSION}.`);
}

const unknown = (method: string) =>
  new RpcError(
    'method_not_found',
    `There is no method ${method.slice(0, 40)} in A2A ${PROTOCOL_VERSION}: SendMessage, GetTask, ` +
      'ListTasks and CancelTask are offered.',
  );

function askBy(context: Context, invoke: Invoke, ctx: HttpContext): Ask {
  const { state } = ctx;
  return async (name, input, key) => {
    const op = catalog.get(name)!;
    state.operation ??= name;
    const invoked = invoke(op, {
      token: tokenOf(ctx.req),
      read: () => ({
        input,
        key: takesKey(op) ? key : undefined,
        waitMs: context.config.api.waitMs,
      }),
      dropUnknown: false,
      requestId: state.requestId,
      address: state.address,
      isCounted: true, // As one call, with its request.
      disconnect: disconnectOf(ctx.res),
    });
    try {
      const { status, body } = await invoked;
      return { status, body: JSON.parse(body) as object };
    } catch (error) {
      if (error instanceof SenderDisconnected) throw error;
      const { status, code, message, details } = refusalFor(context.log, state, error);
      return { status, body: { error: code, message, details } };
    }
  };
}

function errorOf({ log }: Context, { state }: HttpContext, error: unknown): RpcError {
  const { code, message, details } = refusalFor(log, state, error);
  return refused({ error: code, message, details });
}
