import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { isStored, SECRETS, storeValue } from './stored_values.ts';
import { readLaunchSettings } from './launcher/launch_settings.ts';
import { unpackCluster } from './postgres/unpack_cluster.ts';

/** `npm run restore -- <folder>`: makes DATA_DIR from a backup; `npm start` then continues it. */
async function restore([folder]: readonly string[]): Promise<void> {
  if (!folder) throw new Error('Say what from: npm run restore -- <folder>');
  const tar = join(folder, 'postgres.tar');
  if (!existsSync(tar)) throw new Error(`There is no backup in ${folder}.`);
  const { dataDir } = await readLaunchSettings();
  const existing = [...SECRETS, 'postgres', 'redis'].filter((name) => isStored(dataDir, name));
  if (existing.length > 0) {
    throw new Error(`${dataDir} holds a marketplace already. Move it out of the way first.`);
  }

  await unpackCluster(tar, join(dataDir, 'postgres'));
  for (const name of SECRETS.filter((secret) => isStored(folder, secret))) {
    storeValue(dataDir, name, readFileSync(join(folder, name), 'utf8').trim());
  }
  console.log(`restored to ${dataDir}. Next: npm start`);
}

try {
  await restore(process.argv.slice(3));
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
}
