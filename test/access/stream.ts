import { openStream, pathOf, type Stream } from '../api/mcp/sse_client.ts';
import type { TestPlatform } from '../harness.ts';

/** What came back: an answer of JSON-RPC, or, where there was to be no stream, a refusal. */
export interface Told {
  /** Of an answer there is none. */
  readonly status: number | undefined;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read whatever came back
  readonly body: any;
}

interface Line {
  readonly path: string;
  readonly waiting: Map<number, { resolve: (body: unknown) => void; reject: () => void }>;
}

/** Each holder of a key has one stream, by which all their calls are answered. */
const lines = new WeakMap<TestPlatform, Map<string, Promise<Line | Told>>>();
let id = 0;

/** A call of a tool by a message to the caller's own stream. */
export async function callByStream(
  platform: TestPlatform,
  headers: { authorization?: string },
  params: object,
): Promise<Told> {
  const line = await lineOf(platform, headers);
  if ('body' in line) return line;

  const body = { jsonrpc: '2.0', id: (id += 1), method: 'tools/call', params };
  const answer = new Promise<unknown>((resolve, reject) => {
    const isOver = () => reject(new Error('the stream has ended'));
    line.waiting.set(body.id, { resolve, reject: isOver });
  });
  const sent = await platform.request(`POST ${line.path}`, { headers, body });
  return sent.status === 202 ? { status: undefined, body: await answer } : sent;
}

function lineOf(platform: TestPlatform, headers: { authorization?: string }): Promise<Line | Told> {
  const ofHouse = lines.get(platform) ?? new Map<string, Promise<Line | Told>>();
  lines.set(platform, ofHouse);
  const caller = headers.authorization ?? '';
  const line = ofHouse.get(caller) ?? openLine(platform, headers);
  ofHouse.set(caller, line);
  return line;
}

async function openLine(platform: TestPlatform, headers: object): Promise<Line | Told> {
  const stream = await openStream(platform.url, undefined, { ...headers });
  if (stream.status !== 200) return { status: stream.status, body: await stream.refusal() };
  const line: Line = { path: await pathOf(stream), waiting: new Map() };
  void hear(stream, line);
  return line;
}

/** Until the platform closes. */
async function hear(stream: Stream, { waiting }: Line): Promise<void> {
  try {
    for (let said = await stream.next(); said; said = await stream.next()) {
      const body = JSON.parse(said.data) as { id: number };
      waiting.get(body.id)?.resolve(body);
      waiting.delete(body.id);
    }
  } catch {
    // It was cut off.
  }
  for (const { reject } of waiting.values()) reject();
}
