import type { Socket } from 'node:net';

/** Time for a last answer to arrive. */
const LAST_ANSWER_MS = 1_000;

/** Ends a client after its last answer. Further bytes are dropped, or a reset could overtake it. */
export function linger(client: Socket): void {
  client.end();
  client.resume();
  const timeUp = setTimeout(() => client.destroy(), LAST_ANSWER_MS);
  client.once('close', () => clearTimeout(timeUp));
}
