import type { Socket } from 'node:net';
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
}

/**
 * Passes bytes both ways until both sides have ended, one has disconnected, or `ended` aborts.
 * Neither is read faster than the other takes it; a side that has ended its half still receives.
 */
export async function relay(sides: Sides, ended: AbortSignal): Promise<RelayStats> {
  const { client, upstream } = sides;
  const watch = watchSides(sides);
  // A reset, not a normal end, or the client would believe that it has everything.
  const reset = () => {
    watch.noteEnd('server');
    for (const side of [client, upstream]) if (!side.destroyed) side.resetAndDestroy();
  };
  ended.addEventListener('abort', reset);
  const both = [pipeline(client, upstream), pipeline(upstream, client)];
  for (const direction of both) direction.catch(reset);
  await Promise.allSettled(both);
  ended.removeEventListener('abort', reset);
  return watch.stats();
}

interface Watch {
  noteEnd(endedBy: RelayStats['endedBy']): void;
  /** To be called when a side has ended. */
  stats(): RelayStats;
}

/** Measures a connection from now on. */
export function watchSides({ client, upstream }: Sides): Watch {
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
  const noteBytes = () => void (spokeAt = performance.now());
  client.on('data', noteBytes);
  upstream.once('data', () => client.off('data', noteBytes));
  return {
    noteEnd,
    stats() {
      noteEnd('server');
      const [up, down] = [upstream.bytesWritten - sent, upstream.bytesRead - received];
      return { up, down, ...first! };
    },
  };
}
