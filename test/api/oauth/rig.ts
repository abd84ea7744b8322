import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

import { TestPlatform, type Options } from '../../harness.ts';
import { authenticated } from './client_secrets.ts';

/** The password of every agent that `TestPlatform.agent` registers. */
export const PASSWORD = 'correct horse battery';

/** Apps and browsers of a marketplace that is known to be at `origin`. */
export class OAuthClient {
  readonly origin: string;

  constructor(origin: string) {
    this.origin = origin;
  }

  get resource(): string {
    return `${this.origin}/mcp`;
  }

  post(path: string, body: object | URLSearchParams, headers = {}): Promise<Response> {
    const isForm = body instanceof URLSearchParams;
    return whole(this.origin + path, {
      method: 'POST',
      body: isForm ? body : JSON.stringify(body),
      headers: { ...(!isForm && { 'content-type': 'application/json' }), ...headers },
    });
  }

  get(path: string): Promise<Response> {
    return whole(this.origin + path, {});
  }

  /** Registers a client, as its program would. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read any answer
  async register(said: object): Promise<any> {
    return (await this.post('/oauth/register', said)).json();
  }

  /** Calls a method of MCP at /mcp with this token, or without one. */
  mcp(token: string | undefined, method: string, params = {}, path = '/mcp'): Promise<Response> {
    return this.post(
      path,
      { jsonrpc: '2.0', id: 1, method, params },
      {
        accept: 'application/json, text/event-stream',
        ...(token && { authorization: `Bearer ${token}` }),
      },
    );
  }

  /** The answer of a tool to this token. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read any answer
  async tool(token: string, name: string, args = {}): Promise<any> {
    const response = await this.mcp(token, 'tools/call', { name, arguments: args });
    const { result } = (await response.json()) as { result: { structuredContent: unknown } };
    return result.structuredContent;
  }

  /** A browser without a screen, in which an owner signs in and answers. Ends at the app. */
  async consent(start: string, how: Consent): Promise<URLSearchParams> {
    const jar = new Map<string, string>();
    let [url, method, body] = [start, 'GET', undefined as URLSearchParams | undefined];
    while (url.startsWith(this.origin)) {
      const cookie = [...jar].map((one) => one.join('=')).join('; ');
      const headers = { cookie, accept: 'text/html', origin: this.origin, ...how.headers };
      const response = await fetch(url, {
        method,
        headers,
        redirect: 'manual',
        ...(body && { body }),
      });
      for (const set of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
        jar.set(name!, value!);
      }
      const to = response.headers.get('location');
      const text = await response.text();
      how.onPage?.(response, text);
      const goesOn = body === undefined || (how.code && body.has('secret'));
      if (!to && (!goesOn || response.status !== 200)) {
        return new URLSearchParams({ refused: String(response.status), text });
      }
      const [, ticket] = /name="ticket" value="([^"]+)"/.exec(text) ?? [];
      const form = ticket === undefined ? formOf(how) : secondOf(how, ticket);
      [url, method, body] = to ? [new URL(to, url).href, 'GET', undefined] : [url, 'POST', form];
    }
    return new URL(url).searchParams;
  }

  /** Registers (or is known), asks the owner, and holds what came back. */
  async authorize(said: Said, how: Consent, over: Record<string, string> = {}): Promise<Flow> {
    // oxlint-disable-next-line typescript/no-explicit-any -- tests read any answer
    const known: any =
      said.client_id === undefined ? await this.register({ ...NONE, ...said }) : said;
    const verifier = 'v'.repeat(43);
    const query: Record<string, string> = {
      response_type: 'code',
      client_id: known.client_id ?? '',
      redirect_uri: known.redirect_uris?.[0] ?? '',
      scope: 'read buy',
      state: 'a-state',
      resource: this.resource,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...over,
    };
    const asked = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''));
    const back = known.error
      ? new URLSearchParams({ error: known.error })
      : await this.consent(`${this.origin}/oauth/authorize?${asked}`, how);
    // oxlint-disable-next-line typescript/no-explicit-any -- tests read any answer
    const token = async (fields: Record<string, string>): Promise<any> => {
      const form = new URLSearchParams({ client_id: query.client_id!, ...fields });
      return (await this.post('/oauth/token', ...authenticated(form, known))).json();
    };
    return {
      back,
      clientId: query.client_id!,
      exchange: (fields = {}) =>
        token({
          grant_type: 'authorization_code',
          code: back.get('code') ?? '',
          redirect_uri: query.redirect_uri!,
          code_verifier: verifier,
          ...fields,
        }),
      refresh: (refreshToken) =>
        token({ grant_type: 'refresh_token', refresh_token: refreshToken }),
    };
  }
}

/** A platform whose PUBLIC_URL is where it is: an authorization server is known by its address. */
export class OAuthRig extends OAuthClient {
  static async open(
    { host = '127.0.0.1', ...options }: Options & { host?: string } = {},
    openPlatform = (all: Options) => TestPlatform.open(all),
  ): Promise<OAuthRig> {
    // The port has to be known before the platform is there.
    const front = createServer();
    front.listen(0, '127.0.0.1');
    await once(front, 'listening');
    const origin = `http://${host}:${(front.address() as AddressInfo).port}`;
    const env = { PUBLIC_URL: origin, ...options.env };
    const platform = await openPlatform({ ...options, env });
    const { port } = new URL(platform.url);
    const sockets = new Set<Socket>();
    front.on('connection', (socket) => {
      const inner = connect(Number(port), '127.0.0.1');
      socket.pipe(inner).pipe(socket);
      for (const one of [socket, inner]) {
        sockets.add(one.on('error', () => undefined));
        one.on('close', () => sockets.delete(one));
      }
      socket.on('close', () => inner.destroy());
      inner.on('close', () => socket.destroy());
    });
    return new OAuthRig(platform, origin, () => {
      front.close();
      for (const socket of sockets) socket.destroy();
    });
  }

  readonly platform: TestPlatform;
  /** Ends what stands before the platform, for who closes the platform itself. */
  readonly endFront: () => void;

  constructor(platform: TestPlatform, origin: string, endFront: () => void) {
    super(origin);
    this.platform = platform;
    this.endFront = endFront;
  }

  async close(): Promise<void> {
    this.endFront();
    await this.platform.close();
  }
}

/** A response that was read to its end: one that was not keeps its connection open. */
async function whole(url: string, init: RequestInit): Promise<Response> {
  const { status, headers, body } = await fetch(url, init);
  const bytes = body ? await new Response(body).arrayBuffer() : null;
  return new Response([204, 304].includes(status) ? null : bytes, { status, headers });
}

export interface Said {
  readonly client_id?: string;
  readonly redirect_uris?: readonly string[];
  readonly error?: string;
  readonly [field: string]: unknown;
}

/** Decisions of the owner on the page. */
export interface Consent {
  readonly username: string;
  readonly password?: string;
  /** The answer of a passkey, in place of name and password. */
  readonly passkey?: () => string;
  /** The code to give where one is asked for. */
  readonly code?: () => string;
  readonly scopes?: readonly string[];
  readonly limit?: string;
  readonly answer?: string;
  /** Headers of its requests, beside those of a browser that is on our page. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly onPage?: (response: Response, text: string) => void;
}

export interface Flow {
  readonly back: URLSearchParams;
  readonly clientId: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read any answer
  exchange(fields?: Record<string, string>): Promise<any>;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read any answer
  refresh(refreshToken: string): Promise<any>;
}

const NONE = {
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
};

/** The registration of Cursor. */
export const CURSOR: Said = {
  client_name: 'Cursor',
  application_type: 'web',
  redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback', 'http://localhost:8787/callback'],
};

/** The second step: a code in place of the password. */
function secondOf(how: Consent, ticket: string) {
  const form = formOf(how);
  form.delete('name');
  form.delete('secret');
  form.set('ticket', ticket);
  form.set('code', how.code!());
  return form;
}

function formOf({ username, password = PASSWORD, limit = '5', ...how }: Consent) {
  const { answer = how.passkey ? '' : 'allow' } = how;
  const who = how.passkey ? { _passkey: how.passkey() } : { name: username, secret: password };
  const form = new URLSearchParams({ ...who, limit, answer });
  for (const scope of how.scopes ?? ['read', 'buy']) form.append('scope', scope);
  return form;
}
