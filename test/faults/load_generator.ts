import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A reply, when its request was sent (by performance.now()), and how long the reply took. */
export interface TimedReply {
  readonly status: number;
  /** The status line and the headers. */
  readonly head: string;
  readonly body: string;
  readonly sentAt: number;
  readonly ms: number;
}

interface Connection {
  /** Whether a request can be sent: a server closes connections that were idle for a while. */
  readonly isOpen: () => boolean;
  readonly send: (request: string) => Promise<TimedReply | undefined>;
  readonly close: () => void;
}

/**
 * Sends requests and uses as little CPU as it can, because it shares the machine with the API that
 * it loads: persistent connections, and only the parsing that is necessary. `nextRequest` makes
 * each request. A request without a reply gives undefined.
 */
export function openLoadGenerator({ url }: { url: string }, nextRequest: () => string) {
  const port = Number(new URL(url).port);
  const connections = new Set<Connection>();
  const idle: Connection[] = [];

  async function open(n: number): Promise<void> {
    await Promise.all(
      Array.from({ length: n }, async () => {
        const connection = await openConnection(port);
        connections.add(connection);
        idle.push(connection);
      }),
    );
  }

  async function call(from: Connection): Promise<TimedReply | undefined> {
    const connection = from.isOpen() ? from : await connectAgain(from);
    const reply = await connection.send(nextRequest());
    idle.push(connection);
    return reply;
  }

  /** The same closed connection where nobody listens: its request has no reply. */
  async function connectAgain(closed: Connection): Promise<Connection> {
    const opened = await openConnection(port).catch(() => closed);
    connections.delete(closed);
    connections.add(opened);
    return opened;
  }

  return {
    open,
    /** Closed loop: each of these callers sends its next request when it has the reply. */
    async closedLoop(callers: number, forMs: number): Promise<(TimedReply | undefined)[]> {
      await open(Math.max(0, callers - idle.length));
      const until = performance.now() + forMs;
      const replies: (TimedReply | undefined)[] = [];
      const repeat = async (from: Connection) => {
        const connection = from.isOpen() ? from : await connectAgain(from);
        do replies.push(await connection.send(nextRequest()));
        while (performance.now() < until);
        idle.push(connection);
      };
      await Promise.all(idle.splice(0, callers).map(repeat));
      return replies;
    },
    /**
     * Open loop: a fixed rate, however many requests have no reply yet, while a connection is idle.
     */
    async openLoop(perSecond: number, forMs: number): Promise<(TimedReply | undefined)[]> {
      const from = performance.now();
      const calls: Promise<TimedReply | undefined>[] = [];
      for (let now = 0; now < forMs; now = performance.now() - from) {
        while (calls.length < (now * perSecond) / 1_000) {
          const connection = idle.shift();
          if (!connection) break;
          calls.push(call(connection));
        }
        await sleep(2);
      }
      return Promise.all(calls);
    },
    close: () => connections.forEach((connection) => connection.close()),
  };
}

/** A connection that carries one call at a time. */
function openConnection(port: number): Promise<Connection> {
  let [text, sentAt] = ['', 0];
  let finish: ((reply: TimedReply | undefined) => void) | undefined;
  const socket: Socket = connect(port, '127.0.0.1').setNoDelay();
  const connection: Connection = {
    isOpen: () => !socket.destroyed && socket.writable,
    send: (request) =>
      new Promise((resolve) => {
        if (socket.destroyed) return resolve(undefined);
        finish = resolve;
        sentAt = performance.now();
        socket.write(request, 'latin1');
      }),
    close: () => socket.destroy(),
  };
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    const reply = parse(text);
    if (!reply) return;
    text = '';
    finish?.({ ...reply, sentAt, ms: performance.now() - sentAt });
  });
  socket.on('close', () => finish?.(undefined));
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(connection));
    socket.on('error', reject);
  });
}

/** Undefined until the whole response is there. */
function parse(text: string): Pick<TimedReply, 'status' | 'head' | 'body'> | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = text.slice(0, end);
  const [, length = '0'] = /\r\ncontent-length: (\d+)/i.exec(head) ?? [];
  const body = text.slice(end + 4);
  return body.length < Number(length)
    ? undefined
    : { status: Number(text.slice(9, 12)), head, body };
}

/** An HTTP/1.1 request as it is sent. */
export function httpRequest(route: string, { key = '', body = '', headers = {} } = {}): string {
  const all = {
    host: '127.0.0.1',
    ...(key && { authorization: `Bearer ${key}` }),
    ...(body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${route} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}
