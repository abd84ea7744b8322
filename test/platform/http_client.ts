import { Agent, request } from 'node:http';

/** The parts of a request that tests choose. */
export interface Sent {
  readonly key?: string | undefined;
  /** Sent as JSON unless it is a string. */
  readonly body?: object | string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A client of one server, which keeps its connections. */
interface HttpClient {
  send(method: string, url: string, sent: Sent): Promise<Received>;
  close(): void;
}

/**
 * By `node:http`, because `fetch` costs a millisecond of CPU a request, and tests make a hundred
 * thousand. It follows no redirect and asks for no compression.
 */
export function openHttpClient(): HttpClient {
  const agent = new Agent({ keepAlive: true });
  return {
    send: (method, url, { key, body, headers }) =>
      new Promise((resolve, reject) => {
        const text = typeof body === 'object' ? JSON.stringify(body) : body;
        const all = new Headers({
          ...(text !== undefined && { 'content-type': 'application/json' }),
          ...(key && { authorization: `Bearer ${key}` }),
          ...headers,
        });
        // Node leaves it out of requests that have no body as a rule, such as DELETE.
        if (text !== undefined) all.set('content-length', String(Buffer.byteLength(text)));
        const options = { method, agent, headers: Object.fromEntries(all) };
        const sent = request(url, options, (response) => {
          let received = '';
          response.setEncoding('utf8');
          response.on('data', (part: string) => (received += part)).on('error', reject);
          response.on('end', () => {
            const status = response.statusCode!;
            resolve({ status, headers: headersOf(response.rawHeaders), text: received });
          });
        });
        sent.on('error', reject).end(text);
      }),
    close: () => agent.destroy(),
  };
}

function headersOf(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let n = 0; n < raw.length; n += 2) headers.append(raw[n]!, raw[n + 1]!);
  return headers;
}
