import { openStream, pathOf, type Stream } from '../api/mcp/sse_client.ts';
import type { TestPlatform } from '../harness.ts';

/** An answer of JSON-RPC, or the refusal of a stream. */
export interface Reply {
  /** Undefined: an answer of JSON-RPC. */
  readonly status: number | undefined;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read whatever came back
  readonly body: any;
}

interface OpenStream {
  readonly path: string;
  readonly waiting: Map<number, { resolve: (body: unknown) => void; reject: () => void }>;
}

/** Each caller has one stream, by which all its calls are answered. */
const streams = new WeakMap<TestPlatform, Map<string, Promise<OpenStream | Reply>>>();
let id = 0;

/** A call of a tool by a message to the caller's own stream. */
export async function callByStream(
  platform: TestPlatform,
  headers: { authorization?: string },
  params: object,
): Promise<Reply> {
  const stream = await streamOf(platform, headers);
  if ('body' in stream) {
    // Whoever was sent away by a busy API asks it for a stream again.
    if (stream.status === 503) streams.get(platform)!.delete(headers.authorization ?? '');
    return stream;
  }

  const body = { jsonrpc: '2.0', id: (id += 1), method: 'tools/call', params };
  const answer = new Promise<unknown>((resolve, reject) => {
    const onEnd = () => reject(new Error('the stream has ended'));
    stream.waiting.set(body.id, { resolve, reject: onEnd });
  });
  const sent = await platform.request(`POST ${stream.path}`, { headers, body });
  return sent.status === 202 ? { status: undefined, body: await answer } : sent;
}

function streamOf(
  platform: TestPlatform,
  headers: { authorization?: string },
): Promise<OpenStream | Reply> {
  const ofPlatform = streams.get(platform) ?? new Map<string, Promise<OpenStream | Reply>>();
  streams.set(platform, ofPlatform);
  const caller = headers.authorization ?? '';
  const stream = ofPlatform.get(caller) ?? openFor(platform, headers);
  ofPlatform.set(caller, stream);
  return stream;
}

async function openFor(platform: TestPlatform, headers: object): Promise<OpenStream | Reply> {
  const stream = await openStream(platform.url, undefined, { ...headers });
  if (stream.status !== 200) return { status: stream.status, body: await stream.refusal() };
  const open: OpenStream = { path: await pathOf(stream), waiting: new Map() };
  void read(stream, open);
  return open;
}

/** Gives each answer to its call, until the platform closes. */
async function read(stream: Stream, { waiting }: OpenStream): Promise<void> {
  try {
    for (let event = await stream.next(); event; event = await stream.next()) {
      const body = JSON.parse(event.data) as { id: number };
      waiting.get(body.id)?.resolve(body);
      waiting.delete(body.id);
    }
  } catch {
    // The connection was closed.
  }
  for (const { reject } of waiting.values()) reject();
}
