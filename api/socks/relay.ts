import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';

export interface RelayStats {
  /** Bytes from the client, and to it. */
  readonly up: number;
  readonly down: number;
  /** The other side disconnected first, without having sent a byte. */
  readonly isSilent: boolean;
}

/**
 * Passes bytes both ways until both sides have ended, one of them has disconnected, or `ended`.
 * Neither is read faster than the other takes it; a side that has ended its half still receives.
 */
export async function relay(
  { client, upstream }: { client: Socket; upstream: Socket },
  ended: AbortSignal,
): Promise<RelayStats> {
  const before = { up: upstream.bytesWritten, down: client.bytesWritten };
  let first: Socket | undefined;
  for (const side of [client, upstream]) {
    const end = () => (first ??= side);
    side.once('end', end).once('close', end);
  }
  // Not a mere end, or a client would take what it has for all there was.
  const reset = () => {
    for (const side of [client, upstream]) if (!side.destroyed) side.resetAndDestroy();
  };
  ended.addEventListener('abort', reset);
  const both = [pipeline(client, upstream), pipeline(upstream, client)];
  for (const direction of both) direction.catch(reset);
  await Promise.allSettled(both);
  ended.removeEventListener('abort', reset);
  const down = client.bytesWritten - before.down;
  const isSilent = first === upstream && down === 0 && !ended.aborted;
  return { up: upstream.bytesWritten - before.up, down, isSilent };
}
