import type { IncomingMessage, ServerResponse } from 'node:http';

import { headersOf } from '../http/envelope.ts';
import type { CallContext, State } from '../http/routes.ts';

interface DirectRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly state: State;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
}

/**
 * A context with what the answer to a call needs, and nothing else. Its headers are sent at once,
 * as one array.
 */
export class DirectContext implements CallContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly state: State;
  readonly method: string;
  readonly url: string;
  readonly path: string;
  readonly querystring: string;
  readonly params = {};
  readonly response = { get: (field: string): string => this.#get(field) };
  status = 404;
  body: unknown;
  readonly #headers = new Map<string, readonly [name: string, value: string]>();

  constructor({ req, res, state, path, query }: DirectRequest) {
    this.req = req;
    this.res = res;
    this.state = state;
    this.method = req.method!;
    this.url = req.url!;
    this.path = path;
    this.querystring = query;
    for (const header of headersOf(state.requestId)) this.#add(header);
  }

  set(field: string | Record<string, string | string[]>, value?: string | string[]): void {
    if (typeof field === 'string') this.#add([field, String(value)]);
    else for (const [name, each] of Object.entries(field)) this.#add([name, String(each)]);
  }

  vary(field: string | string[]): void {
    const before = this.#get('Vary');
    this.set('Vary', before ? `${before}, ${String(field)}` : String(field));
  }

  /** Sends the body, if the caller is still there. */
  send(body: string): void {
    if (this.res.destroyed) return;
    this.set('Content-Length', String(Buffer.byteLength(body)));
    const headers: string[] = [];
    // Not `flat`, which takes thirty times as long.
    for (const [name, value] of this.#headers.values()) headers.push(name, value);
    this.res.writeHead(this.status, headers);
    this.res.end(body);
  }

  #get(field: string): string {
    return this.#headers.get(field.toLowerCase())?.[1] ?? '';
  }

  #add(header: readonly [name: string, value: string]): void {
    this.#headers.set(header[0].toLowerCase(), header);
  }
}
