import { blocksOf } from '../api/sse_blocks.ts';

/** A message of a stream of events. */
interface Message {
  readonly id: string;
  readonly event: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read any event
  readonly data: any;
}

/** A stream of events, read as the HTML standard says, by hand. */
export interface EventStream {
  readonly status: number;
  readonly headers: Headers;
  /** The body of a refusal, where no stream was opened. */
  refusal(): Promise<{ error: string }>;
  /** The next message, or undefined when the stream has ended. */
  next(): Promise<Message | undefined>;
  close(): void;
}

export async function openEventStream(
  base: string,
  { key, lastId, query = '' }: { key?: string; lastId?: string; query?: string } = {},
): Promise<EventStream> {
  const closing = new AbortController();
  const response = await fetch(`${base}/api/v1/events${query}`, {
    headers: {
      accept: 'text/event-stream',
      ...(key && { authorization: `Bearer ${key}` }),
      ...(lastId && { 'last-event-id': lastId }),
    },
    signal: closing.signal,
  });
  const messages = messagesOf(response.body!);
  return {
    status: response.status,
    headers: response.headers,
    refusal: () => response.json() as Promise<{ error: string }>,
    next: async () => (await messages.next()).value,
    close: () => closing.abort(),
  };
}

async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Message, undefined> {
  for await (const block of blocksOf(body)) {
    const [, id, event, data] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(block) ?? [];
    if (data !== undefined) yield { id: id!, event: event!, data: JSON.parse(data) };
  }
  return undefined;
}
