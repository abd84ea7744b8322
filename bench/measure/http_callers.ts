import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { cpuMeter, type Pids } from './cpu_meter.ts';
import { WARM_MS } from './loops.ts';
import { quantile, type Slice } from './statistics.ts';

/** Makes the whole next request from the answer to the one before; '' before the first. */
export type Caller = (answer: string) => string;

interface Load {
  /** Port, or ports over which the callers are spread. */
  readonly port: number | readonly number[];
  /** Number of callers, each on its own connection, sending the next request after its answer. */
  readonly callers: number;
  readonly ms: number;
  /** Processes whose CPU is counted. */
  readonly pids: Pids;
  readonly newCaller: () => Caller;
}

/**
 * One slice of calls over HTTP, by callers as cheap as possible, because they share the machine
 * with the measured side. Every answer must be 200.
 */
export async function measureHttp({ port, callers, ms, pids, newCaller }: Load): Promise<Slice> {
  const times: number[] = [];
  let counting = false;
  let isOver = false;
  const call = (socket: Socket, done: () => void, fail: (error: Error) => void) => {
    const next = newCaller();
    let sentAt = 0;
    let text = '';
    const send = () => {
      if (isOver) {
        socket.destroy();
        return done();
      }
      sentAt = performance.now();
      socket.write(next(text), 'latin1');
      text = '';
    };
    socket.on('error', fail);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (!isComplete(text)) return;
      if (!text.startsWith('HTTP/1.1 200'))
        return fail(new Error(`an answer is not 200:\n${text}`));
      if (counting) times.push(performance.now() - sentAt);
      send();
    });
    socket.on('connect', send);
  };
  const ports = [port].flat();
  const ended = Array.from({ length: callers }, (_, n) => {
    const socket = connect(ports[n % ports.length]!, '127.0.0.1').setNoDelay();
    return new Promise<void>((done, fail) => call(socket, done, fail));
  });
  const all = Promise.all(ended).then(() => undefined);

  const { snapshot, perCall } = cpuMeter(pids);
  await Promise.race([sleep(WARM_MS), all]);
  snapshot();
  counting = true;
  const from = performance.now();
  await Promise.race([sleep(ms), all]);
  counting = false;
  const seconds = (performance.now() - from) / 1_000;
  snapshot();
  isOver = true;
  await all;
  const [p50, p99] = [0.5, 0.99].map((q) => quantile(times, q)) as [number, number];
  const calls = times.length;
  return { perSecond: calls / seconds, p50, p99, cpu: perCall(calls) };
}

function isComplete(text: string): boolean {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return false;
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(text) ?? [];
  return length !== undefined && text.length >= head + 4 + Number(length);
}
