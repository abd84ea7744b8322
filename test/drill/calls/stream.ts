import { openStream, pathOf, type Stream } from '../../api/mcp/sse_client.ts';
import type { Random } from '../random.ts';
import { headersOf, type Sending } from './call.ts';

/** The reply to a message of JSON-RPC, by the stream of its agent. Undefined: none came. */
export type CallByStream = (
  sending: Sending,
  message: { readonly id: number },
) => Promise<string | undefined>;

interface OpenStream {
  readonly stream: Stream;
  readonly path: string;
  readonly waiting: Map<number, (reply: string | undefined) => void>;
}

const TIMEOUT_MS = 8_000;
const OPEN_MS = 3_000;

/**
 * The stream of one agent (the transport of 2024-11-05), at any of the APIs. One that has ended, or
 * by which a reply did not come in time, is replaced by another with the next call.
 */
export function openStreamOf(token: string, { urls, random }: StreamOptions) {
  let current: Promise<OpenStream | undefined> | undefined;

  async function connect(): Promise<OpenStream | undefined> {
    const opening = openStream(random.pick(urls), token);
    opening.catch(() => undefined);
    const stream = await within(OPEN_MS, opening);
    if (!stream) {
      void opening.then((late) => late.close()).catch(() => undefined);
      return undefined;
    }
    const path = stream.status === 200 ? await within(OPEN_MS, pathOf(stream)) : undefined;
    if (path === undefined) {
      stream.close();
      return undefined;
    }
    const open: OpenStream = { stream, path, waiting: new Map() };
    void read(open);
    return open;
  }

  async function read(open: OpenStream): Promise<void> {
    const { stream, waiting } = open;
    try {
      for (let event = await stream.next(); event; event = await stream.next()) {
        const { id } = JSON.parse(event.data) as { id?: number };
        if (id !== undefined) waiting.get(id)?.(event.data);
      }
    } catch {
      // It broke in the middle of an event, or was closed.
    }
    drop();
    for (const answer of waiting.values()) answer(undefined);
  }

  function drop(): void {
    const dropped = current;
    current = undefined;
    void dropped?.then((open) => open?.stream.close());
  }

  const call: CallByStream = async ({ base, call: { agent, ...rest }, requestId }, message) => {
    const open = await (current ??= connect().catch(() => undefined));
    if (!open) {
      current = undefined;
      return undefined;
    }
    const reply = new Promise<string | undefined>((resolve) => {
      open.waiting.set(message.id, resolve);
    });
    try {
      const sent = await fetch(base + open.path, {
        method: 'POST',
        headers: headersOf({ agent, ...rest }, requestId),
        body: JSON.stringify(message),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await sent.text();
      const answer = sent.status === 202 ? await within(TIMEOUT_MS, reply) : undefined;
      if (answer === undefined) drop();
      return answer;
    } finally {
      open.waiting.delete(message.id);
    }
  };
  return { call, close: drop };
}

interface StreamOptions {
  readonly urls: readonly string[];
  readonly random: Random;
}

function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer!: NodeJS.Timeout;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}
