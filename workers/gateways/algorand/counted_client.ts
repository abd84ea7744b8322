import type { BaseHTTPClient } from 'algosdk';

import type { Profile } from '../rpc/profile.ts';

/** A request without its address. */
interface Sent extends Omit<RequestInit, 'headers'> {
  readonly headers?: Record<string, string> | undefined;
}
type Answer = Awaited<ReturnType<BaseHTTPClient['get']>>;

/** Sends requests of the SDK, which are counted like those to other providers. */
export function countedClient(
  url: string,
  token: Readonly<Record<string, string>>,
  { count }: Pick<Profile, 'count'>,
): BaseHTTPClient {
  const base = new URL(url.endsWith('/') ? url : `${url}/`);

  async function send(
    path: string,
    query: Readonly<Record<string, unknown>> | undefined,
    { headers, ...init }: Sent,
  ): Promise<Answer> {
    count({ requests: 1, calls: 1 });
    const address = new URL(`.${path.startsWith('/') ? '' : '/'}${path}`, base);
    for (const [name, value] of Object.entries(query ?? {})) {
      address.searchParams.set(name, String(value));
    }
    const response = await fetch(address, {
      ...init,
      headers: new Headers({ ...token, ...headers }),
      redirect: 'error', // The token is for this host.
    });
    if (response.status === 429) count({ refused: 1 });
    const answer = {
      body: new Uint8Array(await response.arrayBuffer()),
      status: response.status,
      headers: Object.fromEntries(response.headers),
    };
    if (response.ok) return answer;
    const why = `status ${response.status}: ${wordsOf(answer.body)}`;
    throw Object.assign(new Error(why), { response: answer });
  }

  return {
    get: (path, query, headers, options) => send(path, query, { ...options, headers }),
    post: (path, data, query, headers, options) =>
      send(path, query, { ...options, headers, method: 'POST', body: Buffer.from(data) }),
    delete: (path, data, query, headers, options) =>
      send(path, query, {
        ...options,
        headers,
        method: 'DELETE',
        ...(data && { body: Buffer.from(data) }),
      }),
  };
}

/** The message of an error of a node. */
function wordsOf(body: Uint8Array): string {
  const text = Buffer.from(body).toString();
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    return typeof message === 'string' ? message : '';
  } catch {
    return text.slice(0, 200);
  }
}
