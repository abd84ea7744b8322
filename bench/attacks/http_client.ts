import { Agent, request as httpRequest } from 'node:http';

/** An answer to a call; status 0 if the connection ended without one. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Calls one API over connections that stay open. */
export function openHttpClient(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  return (call: Call): Promise<Answer> => {
    const { method = call.body ? 'POST' : 'GET', path, key, headers, body } = call;
    const sentAt = performance.now();
    return new Promise((resolve) => {
      const end = (status: number, text: string) =>
        resolve({ status, text, ms: performance.now() - sentAt });
      const sent = httpRequest({
        host: '127.0.0.1',
        port,
        agent,
        method,
        path,
        headers: {
          ...(key && { authorization: `Bearer ${key}` }),
          ...(body && { 'content-type': 'application/json', 'content-length': body.length }),
          accept: 'application/json, text/event-stream',
          ...headers,
        },
      });
      sent.on('error', () => end(0, ''));
      sent.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => end(response.statusCode!, text));
        response.on('error', () => end(0, ''));
      });
      sent.end(body);
    });
  };
}

export type HttpClient = ReturnType<typeof openHttpClient>;
