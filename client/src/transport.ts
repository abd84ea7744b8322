import { Refused, Unreachable } from './outcomes.ts';
import type { CallOptions, Route, Schemas } from './operations.ts';

/** Connection of a client to its marketplace. */
export interface Connection {
  readonly baseUrl: string;
  readonly key: string | undefined;
  readonly fetch: typeof fetch;
  /** Seconds that the marketplace is asked to wait before it answers "pending". */
  readonly waitSeconds: number;
  readonly attempts: number;
  readonly userAgent: string;
}

/** A call on the wire. */
export interface Sent {
  readonly operation: string;
  readonly route: Route;
  readonly input: Readonly<Record<string, unknown>>;
  readonly options: CallOptions;
  /** Time at which the caller stops waiting: `Date.now()`. */
  readonly endsAt: number;
}

export interface Reply {
  readonly status: number;
  // Typed by the generated types of the operation.
  readonly body: unknown;
}

// RFC 9110, 15.6, and 429: the marketplace has not done it, and may do it later.
const LATER = new Set([408, 425, 429, 500, 502, 503, 504]);
const FIRST_DELAY_MS = 250;
const DELAY_MS_MAX = 8_000;
/** Time allowed for a request beyond the wait that it asks for. */
const ANSWER_MS = 30_000;
const TOO_LATE = new Error('no answer in time');

/**
 * Sends a call until it is answered. Reads and calls with a key are repeated; anything else is
 * repeated only if the marketplace says that it did nothing. Throws `Refused` and `Unreachable`.
 */
export async function send(connection: Connection, call: Sent): Promise<Reply> {
  const { route, operation, options } = call;
  const key = route.takesKey ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined;
  const isRepeatable = route.method === 'GET' || key !== undefined;
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt >= connection.attempts || Date.now() >= call.endsAt;
    let delayMs =
      Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), DELAY_MS_MAX) * (0.5 + Math.random());
    // Time limit of the request, with a timer that ends with it.
    const limit = new AbortController();
    const seconds = secondsFor(connection, call);
    const timer = setTimeout(() => limit.abort(TOO_LATE), seconds * 1_000 + ANSWER_MS);
    try {
      const response = await request(connection, call, { key, seconds, signal: limit.signal });
      const body: unknown = await response.json();
      if (response.ok) return { status: response.status, body };
      const wasRefused = response.status === 429 || response.status === 503;
      if (isLast || !LATER.has(response.status) || !(isRepeatable || wasRefused)) {
        throw new Refused(operation, response.status, body as Schemas['Error']);
      }
      const asked = Number(response.headers.get('retry-after'));
      if (asked > 0) delayMs = asked * 1_000;
    } catch (error) {
      if (error instanceof Refused || options.signal?.aborted) throw error;
      if (isLast || !isRepeatable) throw new Unreachable(operation, key, error);
    } finally {
      clearTimeout(timer);
    }
    await pause(Math.min(delayMs, Math.max(call.endsAt - Date.now(), 0)), options.signal);
  }
}

/** Seconds that the marketplace is asked to wait. */
const secondsFor = ({ waitSeconds }: Connection, { endsAt }: Sent): number =>
  Math.floor(Math.min(waitSeconds, Math.max((endsAt - Date.now()) / 1_000, 0)));

function request(
  { baseUrl, key: apiKey, fetch, userAgent }: Connection,
  { route, input, options }: Sent,
  {
    key,
    seconds,
    signal,
  }: { readonly key: string | undefined; readonly seconds: number; readonly signal: AbortSignal },
): Promise<Response> {
  const left = { ...input };
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = left[name];
    delete left[name];
    return encodeURIComponent(String(value));
  });
  const url = new URL(baseUrl + path);
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE';
  if (!hasBody) {
    for (const [name, value] of Object.entries(left)) {
      if (value !== undefined) url.searchParams.set(name, textOf(value));
    }
  }
  return fetch(url, {
    method: route.method,
    // To follow one would turn a change into a read, whose answer passes for its own.
    redirect: 'error',
    headers: {
      Accept: 'application/json',
      'User-Agent': userAgent,
      ...(hasBody && { 'Content-Type': 'application/json' }),
      ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }),
      ...(key !== undefined && { 'Idempotency-Key': key }),
      ...(route.waits && { Prefer: `wait=${seconds}` }),
    },
    ...(hasBody && { body: JSON.stringify(left) }),
    signal: options.signal ? AbortSignal.any([options.signal, signal]) : signal,
  });
}

/** A value in a query: the items of a list are separated by commas. */
const textOf = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
