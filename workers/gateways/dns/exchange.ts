import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';

import type { HostPort } from '../../../shared/platform/egress/addresses.ts';
import { queryOf, readAnswer, type Answer, type Query } from './messages.ts';

/** Datagrams that do not answer the query, after which it is given up: somebody guesses. */
const STRAY_MAX = 64;
const MESSAGE_MAX = 65_535;

/** `null`: no answer came in time. */
type Exchange = Answer | null;

/**
 * Asks one name server, by UDP from a port of its own and with an id that cannot be guessed
 * (RFC 5452), and by TCP if the answer is too long for that (RFC 7766 §5). Rejects if the server
 * cannot be reached or its answer cannot be read.
 */
export async function askServer(
  server: HostPort,
  question: Omit<Query, 'id'>,
  timeoutMs: number,
): Promise<Exchange> {
  const query = { ...question, id: randomInt(0x1_0000) };
  const until = performance.now() + timeoutMs;
  const answer = await byUdp(server, query, timeoutMs);
  if (!answer?.isTruncated) return answer;
  return byTcp(server, query, Math.max(1, until - performance.now()));
}

function byUdp({ host, port }: HostPort, query: Query, timeoutMs: number): Promise<Exchange> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  return new Promise<Exchange>((resolve, reject) => {
    const timeUp = setTimeout(() => end(() => resolve(null)), timeoutMs);
    let strays = 0;
    let isOver = false;
    function end(settle: () => void): void {
      if (isOver) return;
      isOver = true;
      clearTimeout(timeUp);
      socket.close();
      settle();
    }
    socket.on('error', (error) => end(() => reject(error)));
    socket.on('message', (message) => {
      if (isOver) return;
      try {
        const answer = readAnswer(message, query);
        if (answer) return end(() => resolve(answer));
        strays += 1;
        if (strays > STRAY_MAX) end(() => reject(new Error('answers to other questions')));
      } catch (error) {
        end(() => reject(error as Error));
      }
    });
    // A connected socket takes only datagrams of this server.
    socket.connect(port, host, () => {
      if (!isOver) socket.send(queryOf(query));
    });
  });
}

function byTcp({ host, port }: HostPort, query: Query, timeoutMs: number): Promise<Exchange> {
  const socket = connect({ host, port });
  return new Promise<Exchange>((resolve, reject) => {
    const timeUp = setTimeout(() => end(() => resolve(null)), timeoutMs);
    function end(settle: () => void): void {
      clearTimeout(timeUp);
      socket.destroy();
      settle();
    }
    const chunks: Buffer[] = [];
    let received = 0;
    socket.on('error', (error) => end(() => reject(error)));
    socket.on('close', () => end(() => reject(new Error('the name server disconnected'))));
    socket.on('connect', () => {
      const message = queryOf(query);
      socket.write(Buffer.concat([Buffer.from([message.length >> 8, message.length]), message]));
    });
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      received += chunk.length;
      if (received < 2) return;
      const expected = 2 + (((firstByte(chunks, 0) << 8) | firstByte(chunks, 1)) & MESSAGE_MAX);
      if (received < expected) return;
      const message = Buffer.concat(chunks).subarray(2, expected);
      try {
        const answer = readAnswer(message, query);
        if (!answer || answer.isTruncated) throw new Error('no answer to the question');
        end(() => resolve(answer));
      } catch (error) {
        end(() => reject(error as Error));
      }
    });
  });
}

/** A byte of the received pieces; the first piece may be a single byte. */
function firstByte(chunks: readonly Buffer[], at: number): number {
  const [first, second] = chunks as [Buffer, Buffer | undefined];
  return first[at] ?? second![at - first.length]!;
}
