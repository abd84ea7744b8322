import {
  copyFileSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join, resolve } from 'node:path';

import { environmentWith } from '../shared/platform/config/environment.ts';
import { baseBackup } from './postgres/base_backup.ts';
import { isStored, storedValue, SECRETS } from './stored_values.ts';
import { readServersFile } from './servers_file.ts';
import { readLocalSettings } from './settings.ts';

/**
 * `npm run backup -- <folder>`: backs up the marketplace that `npm start` runs in this checkout,
 * while it runs, for `npm run restore`.
 */
async function backup([folder]: readonly string[]): Promise<void> {
  if (!folder) throw new Error('Say where to: npm run backup -- <folder>');
  if (existsSync(folder)) throw new Error(`${folder} is there already. Name a new folder.`);
  const dataDir = resolve(readLocalSettings().dataDir);
  const url = superuserUrl(dataDir);

  // Renamed when it is complete, so that an unfinished backup is never restored.
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true, mode: 0o700 });
  try {
    const file = createWriteStream(join(part, 'postgres.tar'), { mode: 0o600 });
    await baseBackup(url, file);
    for (const name of SECRETS.filter((secret) => isStored(dataDir, secret))) {
      copyFileSync(join(dataDir, name), join(part, name));
    }
    renameSync(part, folder);
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    throw error;
  }
  console.log(`backed up to ${folder}. It holds the keys to every vault: guard it like them.`);
  if (!isStored(dataDir, 'master_keys')) {
    console.log('But MASTER_KEYS, which you have set, is not in it. Without it no vault opens.');
  }
}

function superuserUrl(dataDir: string): string {
  if (environmentWith({}).DATABASE_URL) {
    throw new Error('DATABASE_URL is set: back that server up with its own tools, see README.md.');
  }
  const servers = readServersFile(dataDir);
  if (!servers?.databaseUrl) {
    throw new Error(`npm start does not run on ${dataDir}. Start it, then back it up.`);
  }
  const url = new URL(servers.databaseUrl);
  url.username = 'postgres';
  url.password = storedValue(dataDir, 'postgres_password', () => '');
  return url.href;
}

try {
  await backup(process.argv.slice(3));
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
}
