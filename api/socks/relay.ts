import type { Socket } from 'node:net';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface RelayStats {
  /** Bytes from the client; below, bytes from the target. */
  readonly up: number;
  readonly down: number;
  /** The side that ended its half or disconnected first; `server`: it was ended from here. */
  readonly endedBy: 'client' | 'upstream' | 'server';
  /** Time since the client's last byte, if the target sent none. */
  readonly waitedMs: number;
}

interface Sides {
  readonly client: Socket;
  readonly upstream: Socket;
  /** Changes of the bytes from the client, and of those to it. */
  readonly up?: Transform;
  readonly down?: Transform;
}

/**
 * Passes bytes both ways until both sides have ended, one has disconnected, or `ended` aborts.
 * Neither is read faster than the other takes it; a side that has ended its half still receives.
 */
export async function relay(
  { client, upstream, up, down }: Sides,
  ended: AbortSignal,
): Promise<RelayStats> {
  const sent = upstream.bytesWritten;
  // Bytes that came with the proxy's answer are the target's.
  const received = upstream.bytesRead - upstream.readableLength;
  let spokeAt = performance.now();
  let first: Pick<RelayStats, 'endedBy' | 'waitedMs'> | undefined;
  const noteEnd = (endedBy: RelayStats['endedBy']) => {
    first ??= { endedBy, waitedMs: performance.now() - spokeAt };
  };
  const sides = { client, upstream };
  for (const side of ['client', 'upstream'] as const) {
    for (const event of ['end', 'error', 'close']) sides[side].once(event, () => noteEnd(side));
  }
  // A reset, not a normal end, or the client would believe that it has everything.
  const reset = () => {
    noteEnd('server');
    for (const side of [client, upstream]) if (!side.destroyed) side.resetAndDestroy();
  };
  ended.addEventListener('abort', reset);
  const noteBytes = () => void (spokeAt = performance.now());
  client.on('data', noteBytes);
  upstream.once('data', () => client.off('data', noteBytes));
  const both = [
    up ? pipeline(client, up, upstream) : pipeline(client, upstream),
    down ? pipeline(upstream, down, client) : pipeline(upstream, client),
  ];
  for (const direction of both) direction.catch(reset);
  await Promise.allSettled(both);
  ended.removeEventListener('abort', reset);
  return { up: upstream.bytesWritten - sent, down: upstream.bytesRead - received, ...first! };
}
