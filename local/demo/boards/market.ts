/** Calls the marketplace with one key, by REST. Throws `Refused` for errors. */
export type Call = <T = unknown>(route: string, body?: object) => Promise<T>;

/** An answer with an error. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(route: string, status: number, answer: { error?: string; message?: string }) {
    super(`${route} was answered with ${status}: ${answer.message ?? 'no message'}`);
    this.status = status;
    this.code = answer.error ?? '';
  }
}

export interface Market {
  /** URL of the API for this machine. */
  readonly url: string;
  /** Ends every call. */
  readonly stopping: AbortSignal;
}

const CALL_MS = 30_000;

/** Calls with this key or token; without one for public routes. */
export const callsWith = ({ url, stopping }: Market, key?: string): Call =>
  async function call<T>(route: string, body?: object) {
    const [method, path] = route.split(' ') as [string, string];
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.any([stopping, AbortSignal.timeout(CALL_MS)]),
    });
    const answer = (await response.json()) as T;
    if (!response.ok) throw new Refused(route, response.status, answer as object);
    return answer;
  };
