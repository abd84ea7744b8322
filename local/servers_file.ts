import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { storeValue } from './stored_values.ts';

const NAME = 'servers.json';

/** URLs of the servers and the API of `npm start`. */
interface ServerUrls {
  readonly databaseUrl: string | undefined;
  readonly migrationDatabaseUrl: string | undefined;
  readonly redisUrl: string | undefined;
  readonly publicUrl: string;
}

/** For other programs in this checkout, such as `npm run audit`. Returns how to remove the file. */
export function writeServersFile(dataDir: string, urls: ServerUrls): () => void {
  storeValue(dataDir, NAME, JSON.stringify(urls, undefined, 2));
  return () => rmSync(join(dataDir, NAME), { force: true });
}

/** Undefined if `npm start` does not run on this folder. */
export function readServersFile(dataDir: string): ServerUrls | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDir, NAME), 'utf8')) as ServerUrls;
  } catch {
    return undefined;
  }
}
