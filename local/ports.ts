import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

import { isStored, storeValue, storedValue } from './stored_values.ts';

/** Ports given so far: two callers at the same moment would both find one free. */
const given = new Set<number>();

/**
 * A port below those that systems give to outgoing connections: while a server restarts, a
 * reconnecting client could otherwise get the server's port.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 30_000);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
}

/** True also if this machine has no such address, because nobody listens there then. */
export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EADDRNOTAVAIL'));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}

/** The port of the last start, so that a URL noted somewhere stays valid, unless it is taken. */
export async function samePort(dataDir: string, name: string): Promise<number> {
  const last = storedPort(dataDir, name);
  if (last > 0 && (await isFree(last))) return last;
  const port = await freePort();
  storeValue(dataDir, name, String(port));
  return port;
}

/** 0 if none was stored. */
export function storedPort(dataDir: string, name: string): number {
  return isStored(dataDir, name) ? Number(storedValue(dataDir, name, String)) : 0;
}
