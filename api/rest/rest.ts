import { parse as parseQuery } from 'node:querystring';
import { isDeepStrictEqual } from 'node:util';

import { tokenOf } from '../../shared/agents/authenticate.ts';
import type { Invoke, CallBody } from '../../shared/kernel/call.ts';
import { published } from '../../shared/kernel/catalog.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { fromStrings, invalid, parse } from '../../shared/kernel/schema.ts';
import { refuseUnstorable } from '../../shared/kernel/storable.ts';
import type { Context } from '../../shared/kernel/context.ts';
import type { Lifecycle } from '../http/health.ts';
import { setAnswerHeaders, setRateLimitHeaders } from '../http/answer.ts';
import {
  canWait,
  disconnectOf,
  waitPreferenceOf,
  type WaitPreference,
} from '../http/wait_preference.ts';
import { readObject } from '../http/request.ts';
import { noteCaller, type HttpContext, type Route } from '../http/routes.ts';
import { FOR_SALE, paymentIn, setPaymentHeaders } from '../x402/payment_headers.ts';
import { restInputOf, withoutNulls } from '../http/schemas.ts';
import { openEventStreams, wantsStream, type EventStreams } from '../streams/event_streams.ts';

/**
 * One route for each operation, one more for an alias, and one where it can be paid for without a
 * key, if anything can. There is no other table of routes.
 */
export function restRoutes(context: Context, invoke: Invoke, lifecycle: Lifecycle): Route[] {
  const stream = openEventStreams(context, invoke, lifecycle);
  const interfaces = { invoke, stream };
  return published.flatMap((op) => {
    const handle = (ctx: HttpContext) => call(context, interfaces, op, ctx);
    const paid = context.config.x402 && op.soldWithoutKey && op.rest?.replace(' ', ` ${FOR_SALE}`);
    return [op.rest, op.alias, paid].flatMap((route) =>
      route ? { route, operation: op.name, handle } : [],
    );
  });
}

async function call(
  context: Context,
  { invoke, stream }: { invoke: Invoke; stream: EventStreams },
  op: AnyOperation,
  ctx: HttpContext,
): Promise<void> {
  let preference: WaitPreference = { waitMs: 0 };

  async function read(): Promise<CallBody> {
    const { wait, ...fields } = fieldsOf(ctx);
    if (canWait(op)) {
      preference = waitPreferenceOf(op, wait, ctx.req.headers.prefer, context.config.api.waitMs);
    } else if (wait !== undefined) fields.wait = wait;
    const body = ctx.method === 'GET' ? {} : await readObject(ctx);
    const key = ctx.req.headers['idempotency-key'] as string | undefined;
    const schema = restInputOf(op);
    const query = fromStrings(schema, fields);
    refuseContradiction(query, body);
    // A field of the path counts, whatever the query or the body say of it.
    const path = fromStrings(schema, ctx.params ?? {});
    const given = { ...withoutNulls(schema, body), ...query, ...path };
    return { input: op.dialect ? translated(op, given) : given, key, waitMs: preference.waitMs };
  }

  if (op.stream) ctx.vary('Accept');
  if (wantsStream(op, ctx)) {
    return stream(op, ctx, async () => {
      const lastId = ctx.req.headers['last-event-id'] as string | undefined;
      const begin = op.stream!.begin(lastId);
      const { input } = await read();
      return lastId === undefined
        ? { ...begin, ...(input as object) }
        : { ...(input as object), ...begin };
    });
  }
  const answer = await invoke(op, {
    token: tokenOf(ctx.req),
    read,
    dropUnknown: false,
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
  ctx.body = setPaymentHeaders(ctx, context.config, op, answer);
}

/** A caller that says two things of one field means one of them: nobody knows which. */
function refuseContradiction(query: object, body: object): void {
  const said = new Map(Object.entries(body));
  const fields = Object.entries(query)
    .filter(([name, value]) => said.has(name) && !isDeepStrictEqual(said.get(name), value))
    .map(([name]) => ({ pointer: `/${name}`, message: 'differs in the query and in the body' }));
  if (fields.length > 0) throw invalid(fields);
}

/** Refuses in the words of REST, so before it translates into those of the operation. */
function translated({ dialect }: AnyOperation, given: object): object {
  refuseUnstorable(given);
  return dialect!.toInput(parse(dialect!.input, given)) as object;
}

/** The fields of the query. A field that is given twice is a list, which its schema refuses. */
function fieldsOf(ctx: HttpContext): Record<string, unknown> {
  try {
    // Koa and the router do not refuse what cannot be decoded.
    if (ctx.url.includes('%')) decodeURIComponent(ctx.url);
  } catch {
    throw new Refusal('validation_error', 'The URL holds percent signs that encode nothing.');
  }
  // Not ctx.query, which loses a field that is named __proto__.
  return parseQuery(ctx.querystring);
}
