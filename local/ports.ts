import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

import { isKept, keep, kept } from './stored_values.ts';

/** Two who ask at the same time would both find a port free, so each is given once. */
const given = new Set<number>();

/**
 * Below the ports that systems hand to outgoing connections: while a server restarts, a client
 * that keeps trying could otherwise be given the server's port and take it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 30_000);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
}

export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}

/** The port of the last time, so that a URL noted somewhere stays true, unless it was taken. */
export async function samePort(dataDir: string, name: string): Promise<number> {
  const last = isKept(dataDir, name) ? Number(kept(dataDir, name, String)) : 0;
  if (last > 0 && (await isFree(last))) return last;
  const port = await freePort();
  keep(dataDir, name, String(port));
  return port;
}
