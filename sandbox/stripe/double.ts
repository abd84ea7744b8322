import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { API_VERSION, openAccount, type Cause } from './account.ts';
import { controlOf, type Interruption, type StripeControl } from './control.ts';
import { assertPermitted, type Permissions } from './permissions.ts';
import { answerPage } from './page/pay_routes.ts';
import { fieldsOf } from './form.ts';
import { StripeRefusal } from './refusal.ts';
import { answerRequest } from './requests.ts';
import { newId, openStore } from './store.ts';
import { openWebhookSender, type Endpoint } from './webhooks.ts';

interface StripeDoubleOptions {
  /** Secret key of the callers. */
  readonly key: string;
  /** The key is restricted to these. Absent: it may do everything. */
  readonly permissions?: Permissions;
  readonly endpoints?: readonly Endpoint[];
  /** 0: any free port. */
  readonly port?: number;
  readonly host?: string;
  /** URL for browsers, without a slash at the end; http://127.0.0.1:<port> if absent. */
  readonly publicUrl?: string;
  /** File that keeps the state over a restart. */
  readonly file?: string;
  /** Pauses before an event is sent again. */
  readonly retryMs?: readonly number[];
}

export interface StripeDouble {
  readonly url: string;
  readonly control: StripeControl;
  close(): Promise<void>;
}

const BODY_BYTES_MAX = 1_000_000;

/**
 * Stands in for Stripe where it cannot be reached: the SDK talks to it unchanged, its pay page
 * takes Stripe's test cards, and it sends signed events. No real money is behind it.
 */
export async function openStripeDouble(options: StripeDoubleOptions): Promise<StripeDouble> {
  const { endpoints = [], port = 0, host = '127.0.0.1', file, retryMs } = options;
  const store = openStore(file);
  const sender = openWebhookSender({ store, endpoints, ...(retryMs && { retryMs }) });
  const interruptions: Interruption[] = [];
  let cause: Cause = { id: null, idempotency_key: null };
  let url = options.publicUrl ?? '';
  const account = openAccount({
    store,
    url: () => url,
    cause: () => cause,
    endpoints: endpoints.length,
    send: (event) => sender.send(event),
  });
  const control = controlOf(account, sender, interruptions);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET' } = request;
    const at = new URL(request.url ?? '/', 'http://stripe.invalid');
    const body = await bodyOf(request);
    if (at.pathname.startsWith('/pay/')) {
      const asJson = request.headers.accept === 'application/json';
      cause = { id: null, idempotency_key: null };
      const page = answerPage(account, { method, url: at, body, asJson });
      store.commit();
      response.writeHead(page.status, page.headers).end(page.body);
      return;
    }
    const id = newId('req');
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'request-id': id,
      'stripe-version': String(request.headers['stripe-version'] ?? API_VERSION),
    };
    const interruption = takeInterruption(interruptions, `${method} ${at.pathname}`);
    if (interruption && isBefore(interruption, response)) return;
    let status = 200;
    let text: string;
    try {
      assertKey(request, options.key);
      if (interruption) assertServes(interruption);
      if (at.pathname.startsWith('/sandbox/')) {
        text = await controlled(control, at.pathname, body);
      } else {
        const key = method === 'POST' ? String(request.headers['idempotency-key'] ?? '') : '';
        if (options.permissions) {
          const fields = fieldsOf(method === 'POST' ? body : at.search.slice(1));
          assertPermitted(options.permissions, { method, path: at.pathname, fields });
        }
        cause = { id, idempotency_key: key || null };
        const done = answerRequest(account, { id, method, at, body, key });
        ({ status, text } = done);
        Object.assign(headers, done.headers);
      }
    } catch (error) {
      const refusal = error instanceof StripeRefusal ? error : internal(error as Error);
      status = refusal.status;
      text = JSON.stringify({ error: refusal.body });
    }
    store.commit();
    if (interruption?.how === 'answer lost') response.destroy();
    else if (interruption?.how !== 'answer delayed') response.writeHead(status, headers).end(text);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { port: given } = server.address() as AddressInfo;
  const reached = `http://127.0.0.1:${given}`;
  url ||= reached;
  // Events that were not received before the last stop.
  for (const event of store.all('event')) if (event.pending_webhooks > 0) sender.send(event);

  return {
    url: reached,
    control,
    async close() {
      sender.close();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      await sender.settled();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new Error('the body is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Accepts `Bearer <key>`, or the key as the user name of Basic, which `curl -u` sends. */
function assertKey({ headers }: IncomingMessage, key: string): void {
  const [scheme = '', value = ''] = (headers.authorization ?? '').split(' ');
  const basic = scheme.toLowerCase() === 'basic';
  const given = basic ? Buffer.from(value, 'base64').toString().split(':')[0]! : value;
  if (given === key) return;
  const type = 'invalid_request_error';
  const message = given
    ? `Invalid API Key provided: ${given.slice(0, 8)}${'*'.repeat(8)}${given.slice(-4)}`
    : 'You did not provide an API key. You need to provide your API key in the Authorization ' +
      "header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').";
  throw new StripeRefusal(401, { type, message });
}

function takeInterruption(interruptions: Interruption[], request: string) {
  if (request.includes('/sandbox/')) return undefined;
  const n = interruptions.findIndex((one) => !one.request || one.request === request);
  return n < 0 ? undefined : interruptions.splice(n, 1)[0];
}

/** Whether the request ends before it is handled. */
function isBefore({ how }: Interruption, response: ServerResponse): boolean {
  if (how === 'disconnected') response.destroy();
  return how === 'disconnected' || how === 'no answer';
}

function assertServes({ how }: Interruption): void {
  if (how === 'server error') throw internal(new Error('An unknown error occurred'));
  if (how !== 'rate limit') return;
  throw new StripeRefusal(429, {
    type: 'invalid_request_error',
    code: 'rate_limit',
    message: 'Request rate limit exceeded.',
  });
}

const internal = ({ message }: Error) => new StripeRefusal(500, { type: 'api_error', message });

/** `POST /sandbox/chargeback` with JSON calls `control.chargeback`. */
async function controlled(control: StripeControl, path: string, body: string): Promise<string> {
  const name = path.slice('/sandbox/'.length);
  if (!Object.hasOwn(control, name)) {
    throw new StripeRefusal(404, {
      type: 'invalid_request_error',
      message: `The sandbox has no ${name}: ${Object.keys(control).join(', ')}.`,
    });
  }
  const call = control[name as keyof StripeControl] as (input: object) => unknown;
  const done = await call(body ? (JSON.parse(body) as object) : {});
  return JSON.stringify(done ?? { ok: true });
}
