import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const checkoutFolder = dirname(dirname(fileURLToPath(import.meta.url)));

/** Unpacked servers, kept between runs. Safe to delete. */
export const cacheFolder = join(checkoutFolder, '.cache');

/** Folder for files that an unprivileged server must reach if root's own folders are closed. */
export function sharedFolder(): string {
  const id = createHash('sha256').update(checkoutFolder).digest('hex').slice(0, 12);
  const folder = `/var/lib/agent-marketplace-${id}`;
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  return folder;
}
