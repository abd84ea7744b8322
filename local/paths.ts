import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const checkout = dirname(dirname(fileURLToPath(import.meta.url)));

/** Unpacked servers, kept between runs. Safe to delete. */
export const cacheFolder = join(checkout, '.cache');

/** For what an unprivileged server must reach when root's own folders are closed to it. */
export function openFolder(): string {
  const id = createHash('sha256').update(checkout).digest('hex').slice(0, 12);
  const folder = `/var/lib/agent-marketplace-${id}`;
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  return folder;
}
