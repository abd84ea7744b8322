import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';

/** What went through a connection. */
export interface Passed {
  /** Bytes from the client, and to it. */
  readonly up: number;
  readonly down: number;
  /** The other side left first, without having said a word. */
  readonly isSilent: boolean;
}

/**
 * Passes bytes both ways until both sides have said all, one of them is gone, or `ended`. Neither
 * is read faster than the other takes it; who has said all may still listen.
 */
export async function relay(
  { client, upstream }: { client: Socket; upstream: Socket },
  ended: AbortSignal,
): Promise<Passed> {
  const before = { up: upstream.bytesWritten, down: client.bytesWritten };
  let first: Socket | undefined;
  for (const side of [client, upstream]) {
    const leave = () => (first ??= side);
    side.once('end', leave).once('close', leave);
  }
  // Not a mere end, or a client would take what it has for all there was.
  const cut = () => {
    for (const side of [client, upstream]) if (!side.destroyed) side.resetAndDestroy();
  };
  ended.addEventListener('abort', cut);
  const both = [pipeline(client, upstream), pipeline(upstream, client)];
  for (const way of both) way.catch(cut);
  await Promise.allSettled(both);
  ended.removeEventListener('abort', cut);
  const down = client.bytesWritten - before.down;
  const isSilent = first === upstream && down === 0 && !ended.aborted;
  return { up: upstream.bytesWritten - before.up, down, isSilent };
}
