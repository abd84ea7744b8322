import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  environmentWith,
  readEnvironment,
  type Parser,
  type SettingReader,
} from '../shared/platform/config/environment.ts';
import { masterKeys, postgresUrl, type MasterKey } from '../shared/platform/config/setting_values.ts';
import { readServersFile } from './servers_file.ts';
import { localSettings } from './settings.ts';

// What a deployment sets, and `npm start` makes. In production only what is set counts, or else a
// misspelt name would lead to the data of this checkout. Throws BadSettings.

/** DATABASE_URL, or else the database of `npm start` in this checkout. */
export function findDatabaseUrl(env = environmentWith({})): string {
  const url = readEnvironment((reader) => given(reader, 'DATABASE_URL', postgresUrl), env);
  if (url) return url;
  const servers = readServersFile(readEnvironment(localSettings, env).dataDir);
  if (servers?.databaseUrl) return servers.databaseUrl;
  throw new Error('There is no database: set DATABASE_URL, or run npm start in this checkout.');
}

/** MASTER_KEYS, or else what `npm start` made in this checkout. */
export function findMasterKeys(env = environmentWith({})): readonly MasterKey[] {
  const keys = readEnvironment((reader) => given(reader, 'MASTER_KEYS', masterKeys), env);
  if (keys) return keys;
  const { dataDir } = readEnvironment(localSettings, env);
  return masterKeys(readFileSync(join(dataDir, 'master_keys'), 'utf8'));
}

function given<T>(reader: SettingReader, name: string, parse: Parser<T>): T | undefined {
  const { production, read, optional } = reader;
  return production ? read(name, undefined, parse) : optional(name, parse);
}
