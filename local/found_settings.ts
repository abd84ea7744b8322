import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { environmentWith, readEnvironment } from '../shared/platform/config/environment.ts';
import { masterKeys, type MasterKey } from '../shared/platform/config/setting_values.ts';
import { readServersFile } from './servers_file.ts';
import { databaseSetting, keysSetting, localSettings } from './settings.ts';

// Settings that a deployment has, or that `npm start` makes. In production only set ones count:
// otherwise a misspelt name would lead to the data of this checkout. Throws BadSettings.

/** DATABASE_URL, or else the database of `npm start` in this checkout. */
export function findDatabaseUrl(env = environmentWith({})): string {
  const url = readEnvironment(databaseSetting, env);
  if (url) return url;
  const servers = readServersFile(readEnvironment(localSettings, env).dataDir);
  if (servers?.databaseUrl) return servers.databaseUrl;
  throw new Error('There is no database: set DATABASE_URL, or run npm start in this checkout.');
}

/** MASTER_KEYS, or else the keys that `npm start` made in this checkout. */
export function findMasterKeys(env = environmentWith({})): readonly MasterKey[] {
  const keys = readEnvironment(keysSetting, env);
  if (keys) return keys;
  const { dataDir } = readEnvironment(localSettings, env);
  return masterKeys(readFileSync(join(dataDir, 'master_keys'), 'utf8'));
}
