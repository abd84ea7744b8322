import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';

import { blocksOf } from '../sse_blocks.ts';
import { lazySchemas } from './lazy_schemas.ts';

/** An event of a stream. */
interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

/** A stream read by hand, as the specification of 2024-11-05 has it. */
export interface Stream {
  readonly status: number;
  readonly headers: Headers;
  /** The body of a refusal, where no stream was opened. */
  refusal(): Promise<unknown>;
  /** The next event, or undefined when the stream has ended. */
  next(): Promise<StreamEvent | undefined>;
  close(): void;
}

export async function openStream(
  base: string,
  key?: string,
  headers: Record<string, string> = {},
): Promise<Stream> {
  const closing = new AbortController();
  const response = await fetch(`${base}/api/v1/mcp/sse`, {
    headers: { ...(key && { authorization: `Bearer ${key}` }), ...headers },
    signal: closing.signal,
  });
  const events = eventsOf(response.body!);
  return {
    status: response.status,
    headers: response.headers,
    refusal: () => response.json(),
    next: async () => (await events.next()).value,
    close: () => closing.abort(),
  };
}

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent, undefined> {
  for await (const block of blocksOf(body)) {
    const [, event] = /^event: (.*)$/m.exec(block) ?? [];
    const [, data] = /^data: (.*)$/m.exec(block) ?? [];
    if (event !== undefined && data !== undefined) yield { event, data };
  }
  return undefined;
}

/** The path to which messages of this stream are posted. */
export async function pathOf(stream: Stream): Promise<string> {
  const { event, data } = (await stream.next())!;
  if (event !== 'endpoint') throw new Error(`a stream begins with ${event}`);
  return data;
}

/** The v1 client, with its stream at one API process and its messages sent to several in turn. */
export async function connectBySse(
  key: string,
  base: string,
  posts: readonly string[] = [base],
): Promise<Client> {
  let turn = 0;
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { jsonSchemaValidator: lazySchemas },
  );
  const transport = new SSEClientTransport(new URL('/api/v1/mcp/sse', base), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
    fetch: (url, init) => {
      if (init?.method !== 'POST') return fetch(url, init);
      const { pathname, search } = new URL(url);
      return fetch(new URL(pathname + search, posts[turn++ % posts.length]), init);
    },
  });
  await client.connect(transport);
  return client;
}
