import { parse as parseQuery } from 'node:querystring';
import { isDeepStrictEqual } from 'node:util';

import { tokenOf } from '../../shared/domains/agents/authenticate.ts';
import type { Invoke, CallBody } from '../../shared/kernel/call.ts';
import { published } from '../../shared/composition/catalog.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { readBySchema } from '../../shared/kernel/reading/by_schema.ts';
import { invalid, parse, type TObject } from '../../shared/kernel/schema.ts';
import { refuseUnstorable } from '../../shared/kernel/storable.ts';
import type { Context } from '../../shared/composition/context.ts';
import type { Lifecycle } from '../http/health.ts';
import { setAnswerHeaders, setRateLimitHeaders } from '../http/answer.ts';
import {
  canWait,
  disconnectOf,
  waitPreferenceOf,
  type WaitPreference,
} from '../http/wait_preference.ts';
import { readObject } from '../http/request.ts';
import { noteCaller, type CallContext, type HttpContext, type Route } from '../http/routes.ts';
import { FOR_SALE, paymentIn, setPaymentHeaders } from '../x402/payment_headers.ts';
import { restInputOf } from '../http/schemas.ts';
import { readArguments, type Arguments, type SentArguments } from '../arguments/call_arguments.ts';
import { keysInHeaders } from '../arguments/idempotency_keys.ts';
import { withIgnored } from '../arguments/ignored.ts';
import { openEventStreams, wantsStream, type EventStreams } from '../streams/event_streams.ts';

/** The route of an operation. */
export interface RestRoute extends Route {
  readonly operation: string;
  readonly op: AnyOperation;
  handle(ctx: CallContext): Promise<void>;
}

/**
 * One route for each operation, one more for an alias, and one under which it can be paid for
 * without a key, if it can. There is no other table of routes.
 */
export function restRoutes(context: Context, invoke: Invoke, lifecycle: Lifecycle): RestRoute[] {
  const stream = openEventStreams(context, invoke, lifecycle);
  const interfaces = { invoke, stream };
  return published.flatMap((op) => {
    const handle = (ctx: CallContext) => call(context, interfaces, op, ctx);
    const isForSale = context.config.x402 && op.paid?.soldWithoutKey;
    const paid = isForSale && op.rest?.replace(' ', ` ${FOR_SALE}`);
    return [op.rest, op.bindings?.alias, paid].flatMap((route) =>
      route ? { route, operation: op.name, op, handle } : [],
    );
  });
}

async function call(
  context: Context,
  { invoke, stream }: { invoke: Invoke; stream: EventStreams },
  op: AnyOperation,
  ctx: CallContext,
): Promise<void> {
  let preference: WaitPreference = { waitMs: 0 };
  const schema = restInputOf(op);
  let sent: SentArguments = { op, args: {}, keys: [], fields: schema.properties };

  async function read(): Promise<CallBody> {
    const query = fieldsOf(ctx);
    const body = ctx.method === 'GET' ? {} : await readObject(ctx);
    refuseContradictions(schema, { path: ctx.params ?? {}, query, body });
    const args = { ...body, ...query, ...ctx.params };
    sent = { ...sent, args, keys: keysInHeaders(ctx.req.headers) };
    const { input, key, wait, isDryRun } = readArguments(sent);
    if (wait !== undefined && !canWait(op)) throw unknownWait();
    if (canWait(op)) {
      preference = waitPreferenceOf(op, wait, ctx.req.headers.prefer, context.config.api.waitMs);
    }
    return { input: translated(op, input), key, waitMs: preference.waitMs, isDryRun };
  }

  if (op.wait?.stream) ctx.vary('Accept');
  if (wantsStream(op, ctx)) {
    return stream(op, ctx, async () => {
      const lastId = ctx.req.headers['last-event-id'] as string | undefined;
      const begin = op.wait!.stream!.begin(lastId);
      const { input } = await read();
      return lastId === undefined
        ? { ...begin, ...(input as object) }
        : { ...(input as object), ...begin };
    });
  }
  const answer = await invoke(op, {
    token: tokenOf(ctx.req),
    read,
    // Only a read may ignore an unknown argument: ignoring a limit would be a lie.
    dropUnknown: op.mode === 'read',
    requestId: ctx.state.requestId,
    address: ctx.state.address,
    disconnect: canWait(op) ? disconnectOf(ctx.res) : undefined,
    payment: paymentIn(ctx.req),
    isForSale: ctx.path.startsWith(`${FOR_SALE}/`),
    onCaller: (caller) => noteCaller(ctx.state, caller),
    onRateLimit: (limit) => setRateLimitHeaders(ctx, limit),
  });
  if (canWait(op)) ctx.vary('Prefer');
  setAnswerHeaders(ctx, answer, preference);
  const body = setPaymentHeaders(ctx, context.config, op, withIgnored(answer, sent));
  // Koa's own context, because no call with forms is a direct one.
  ctx.body = answer.isDryRun ? body : formed(ctx as HttpContext, op, body);
}

/** The body in the form that the caller asks for. Refusals are JSON in any case. */
function formed(
  ctx: HttpContext,
  { bindings: { forms } = {} }: AnyOperation,
  body: string,
): string {
  if (!forms) return body;
  ctx.vary('Accept');
  const { format } = parseQuery(ctx.querystring);
  const types = Object.values(forms).map(({ type }) => type);
  const accepted = ctx.accepts('application/json', ...types);
  const form =
    format === undefined
      ? Object.values(forms).find(({ type }) => type === accepted)
      : forms[String(format)];
  if (!form || ctx.status !== 200) return body;
  ctx.type = form.type;
  return form.render(JSON.parse(body) as object);
}

const unknownWait = () =>
  invalid([
    { pointer: '/wait', message: 'is not a field of this call, which is answered at once' },
  ]);

type Place = 'path' | 'query' | 'body';

/** Refuses a field with two values: nobody knows which one the caller means. */
function refuseContradictions(schema: TObject, sent: Readonly<Record<Place, Arguments>>): void {
  const fields = PAIRS.flatMap(([one, other]) => {
    const twice = Object.keys(sent[one]).filter((name) => Object.hasOwn(sent[other], name));
    if (twice.length === 0) return [];
    const [left, right] = [one, other].map((place) => readBySchema(schema, sent[place]));
    return twice
      .filter((name) => !isDeepStrictEqual((left as Arguments)[name], (right as Arguments)[name]))
      .map((name) => ({
        pointer: `/${name}`,
        message: `differs in the ${one} and in the ${other}`,
      }));
  });
  if (fields.length > 0) throw invalid(fields);
}

const PAIRS: readonly (readonly [Place, Place])[] = [
  ['path', 'query'],
  ['path', 'body'],
  ['query', 'body'],
];

/** The input in the operation's own words. Refuses in REST's dialect. */
function translated({ mode, bindings: { dialect } = {} }: AnyOperation, given: Arguments): object {
  if (!dialect) return given;
  refuseUnstorable(given);
  const dropUnknown = mode === 'read';
  return dialect.toInput(parse(dialect.input, given, { dropUnknown })) as object;
}

/** The fields of the query. A repeated field becomes a list, which its schema refuses. */
function fieldsOf(ctx: CallContext): Record<string, unknown> {
  try {
    // Koa and the router accept percent signs that cannot be decoded.
    if (ctx.url.includes('%')) decodeURIComponent(ctx.url);
  } catch {
    throw new Refusal('validation_error', 'The URL has invalid percent-encoding.');
  }
  // Not ctx.query, which loses a field that is named __proto__.
  return parseQuery(ctx.querystring);
}
