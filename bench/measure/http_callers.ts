import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { quantile } from './statistics.ts';

export interface Load {
  readonly port: number;
  /** Each on a connection of its own, sending the next request when it has its answer. */
  readonly callers: number;
  readonly warmMs: number;
  readonly ms: number;
  /** A whole HTTP request. */
  readonly next: () => string;
  /** Called when the measured time begins and when it ends. */
  readonly snapshot: () => void;
}

export interface LoadResult {
  readonly calls: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/**
 * Callers as cheap as possible, because they share the machine with what they measure. Every answer
 * must be 200.
 */
export async function callOverHttp({
  port,
  callers,
  warmMs,
  ms,
  next,
  snapshot,
}: Load): Promise<LoadResult> {
  const times: number[] = [];
  let counting = false;
  let isOver = false;
  const call = (socket: Socket, done: () => void, fail: (error: Error) => void) => {
    let sentAt = 0;
    let text = '';
    const send = () => {
      if (isOver) {
        socket.destroy();
        return done();
      }
      sentAt = performance.now();
      socket.write(next(), 'latin1');
    };
    socket.on('error', fail);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (!isComplete(text)) return;
      if (!text.startsWith('HTTP/1.1 200'))
        return fail(new Error(`an answer is not 200:\n${text}`));
      if (counting) times.push(performance.now() - sentAt);
      text = '';
      send();
    });
    socket.on('connect', send);
  };
  const ended = Array.from({ length: callers }, () => {
    const socket = connect(port, '127.0.0.1').setNoDelay();
    return new Promise<void>((done, fail) => call(socket, done, fail));
  });
  const all = Promise.all(ended).then(() => undefined);

  await Promise.race([sleep(warmMs), all]);
  snapshot();
  counting = true;
  const from = performance.now();
  await Promise.race([sleep(ms), all]);
  counting = false;
  const seconds = (performance.now() - from) / 1_000;
  snapshot();
  isOver = true;
  await all;
  return {
    calls: times.length,
    perSecond: times.length / seconds,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
  };
}

function isComplete(text: string): boolean {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return false;
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(text) ?? [];
  return length !== undefined && text.length >= head + 4 + Number(length);
}

/** A request as it goes over the wire. */
export function request(route: string, headers: object, body = ''): string {
  const all = {
    host: '127.0.0.1',
    ...headers,
    ...(body && { 'content-type': 'application/json', 'content-length': body.length }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${route} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}
