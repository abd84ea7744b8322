import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { PassThrough } from 'node:stream';

import type { Caller } from '../../shared/kernel/caller.ts';
import type { Context } from '../../shared/composition/context.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';

/** Maximum streams of each kind for an agent, over all API processes. */
export const STREAMS_MAX = 5;

const KEEP_ALIVE_MS = 15_000;
const CHECK_EVERY_MS = 1_000;
/** Bytes that a client may leave unread. */
const UNREAD_BYTES_MAX = 4 * 1024 * 1024;

/** An open stream. It ends when its client disconnects or its key is revoked. */
export interface Stream {
  readonly session: string;
  readonly token: string;
  readonly caller: Caller;
  /** Address of the client that reads it. */
  readonly address: string;
  readonly out: PassThrough;
  /** Aborted when the stream ends. */
  readonly ended: AbortController;
}

export function newStream(token: string, caller: Caller, address: string): Stream {
  const ended = new AbortController();
  setMaxListeners(0, ended.signal); // Each waiting call adds a listener.
  return { session: randomUUID(), token, caller, address, out: new PassThrough(), ended };
}

export function endStream({ out, ended }: Stream): void {
  ended.abort();
  out.end();
}

/** Keeps the connection alive, and ends the stream within seconds of its key being revoked. */
export function watchStream(context: Context, stream: Stream): void {
  const check = setInterval(() => {
    void hasValidKey(context, stream).then((isValid) => isValid || endStream(stream));
  }, CHECK_EVERY_MS);
  const keepAlive = setInterval(() => send(stream, [': still here\n\n']), KEEP_ALIVE_MS);
  stream.ended.signal.addEventListener('abort', () => {
    clearInterval(check);
    clearInterval(keepAlive);
  });
}

/** False once the key is revoked. While the database is away, the key counts as valid. */
export const hasValidKey = ({ keys }: Context, { token }: Stream): Promise<boolean> =>
  keys.find(token).then(Boolean, () => true);

/** Sends text of the stream. A client that reads too slowly loses its stream. */
export function send(stream: Stream, pieces: readonly (string | Buffer)[]): void {
  const { out, ended } = stream;
  if (ended.signal.aborted) return;
  if (out.writableLength + out.readableLength > UNREAD_BYTES_MAX) return endStream(stream);
  for (const piece of pieces) out.write(piece);
}

export const tooManyStreams = () =>
  new Refusal('rate_limited', 'You hold too many streams open. Close one first.', {
    streams_max: STREAMS_MAX,
  });

/** `instead` tells the caller what to do. */
export function noStreams(instead: string, cause?: unknown): Refusal {
  const message = `Streams are not served at the moment. ${instead}`;
  const refusal = new Refusal('service_unavailable', message);
  if (cause) refusal.cause = cause;
  return refusal;
}
