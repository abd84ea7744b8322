import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** An answer, and when it was asked for and had, by performance.now(). */
export interface Heard {
  readonly status: number;
  /** The lines before the body. */
  readonly head: string;
  readonly body: string;
  readonly askedAt: number;
  readonly ms: number;
}

interface Line {
  readonly ask: (text: string) => Promise<Heard | undefined>;
  readonly end: () => void;
}

/**
 * Callers who take as little of the machine as they can, because they share it with what they call:
 * connections that are kept, and no more parsing than it takes. Undefined where none was answered.
 */
export function openCrowd({ url }: { url: string }, next: () => string) {
  const port = Number(new URL(url).port);
  const lines = new Set<Line>();
  const idle: Line[] = [];

  async function open(n: number): Promise<void> {
    await Promise.all(
      Array.from({ length: n }, async () => {
        const line = await openLine(port);
        lines.add(line);
        idle.push(line);
      }),
    );
  }

  async function call(line: Line): Promise<Heard | undefined> {
    const heard = await line.ask(next());
    idle.push(line);
    return heard;
  }

  return {
    open,
    /** So many callers, each of whom asks again as soon as it is answered. */
    async keepAsking(callers: number, forMs: number): Promise<(Heard | undefined)[]> {
      await open(Math.max(0, callers - idle.length));
      const until = performance.now() + forMs;
      const heard: (Heard | undefined)[] = [];
      const ask = async (line: Line) => {
        do heard.push(await line.ask(next()));
        while (performance.now() < until);
        idle.push(line);
      };
      await Promise.all(idle.splice(0, callers).map(ask));
      return heard;
    },
    /** So many calls a second, however many of those before are answered, while there are lines. */
    async arrive(perSecond: number, forMs: number): Promise<(Heard | undefined)[]> {
      const from = performance.now();
      const calls: Promise<Heard | undefined>[] = [];
      for (let now = 0; now < forMs; now = performance.now() - from) {
        while (calls.length < (now * perSecond) / 1_000) {
          const line = idle.shift();
          if (!line) break;
          calls.push(call(line));
        }
        await sleep(2);
      }
      return Promise.all(calls);
    },
    close: () => lines.forEach((line) => line.end()),
  };
}

/** A connection, on which one call is made at a time. */
function openLine(port: number): Promise<Line> {
  let [text, askedAt] = ['', 0];
  let tell: ((heard: Heard | undefined) => void) | undefined;
  const socket: Socket = connect(port, '127.0.0.1').setNoDelay();
  const line: Line = {
    ask: (request) =>
      new Promise((resolve) => {
        if (socket.destroyed) return resolve(undefined);
        tell = resolve;
        askedAt = performance.now();
        socket.write(request, 'latin1');
      }),
    end: () => socket.destroy(),
  };
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    const parts = partsOf(text);
    if (!parts) return;
    text = '';
    tell?.({ ...parts, askedAt, ms: performance.now() - askedAt });
  });
  socket.on('close', () => tell?.(undefined));
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(line));
    socket.on('error', reject);
  });
}

function partsOf(text: string): Pick<Heard, 'status' | 'head' | 'body'> | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = text.slice(0, end);
  const [, length = '0'] = /\r\ncontent-length: (\d+)/i.exec(head) ?? [];
  const body = text.slice(end + 4);
  return body.length < Number(length)
    ? undefined
    : { status: Number(text.slice(9, 12)), head, body };
}

/** A request as it goes over the wire. */
export function wire(route: string, { key = '', body = '', headers = {} } = {}): string {
  const all = {
    host: '127.0.0.1',
    ...(key && { authorization: `Bearer ${key}` }),
    ...(body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${route} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}
