import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';

export interface RelayStats {
  /** Bytes from the client, and from the target. */
  readonly up: number;
  readonly down: number;
  /** Which side ended its half or disconnected first; `server`: neither, it was ended from here. */
  readonly endedBy: 'client' | 'upstream' | 'server';
  /** How long the client had been waiting then, since its last byte, where the target sent none. */
  readonly waitedMs: number;
}

/**
 * Passes bytes both ways until both sides have ended, one of them has disconnected, or `ended`.
 * Neither is read faster than the other takes it; a side that has ended its half still receives.
 */
export async function relay(
  { client, upstream }: { client: Socket; upstream: Socket },
  ended: AbortSignal,
): Promise<RelayStats> {
  const sent = upstream.bytesWritten;
  // What has come with the proxy's answer is the target's.
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
  // Not a mere end, or a client would take what it has for all there was.
  const reset = () => {
    noteEnd('server');
    for (const side of [client, upstream]) if (!side.destroyed) side.resetAndDestroy();
  };
  ended.addEventListener('abort', reset);
  const noteBytes = () => void (spokeAt = performance.now());
  client.on('data', noteBytes);
  upstream.once('data', () => client.off('data', noteBytes));
  const both = [pipeline(client, upstream), pipeline(upstream, client)];
  for (const direction of both) direction.catch(reset);
  await Promise.allSettled(both);
  ended.removeEventListener('abort', reset);
  return { up: upstream.bytesWritten - sent, down: upstream.bytesRead - received, ...first! };
}
