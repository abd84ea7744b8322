import { environmentWith } from '../shared/platform/config/environment.ts';
import { readServersFile } from './servers_file.ts';
import { readLocalSettings } from './settings.ts';

/** DATABASE_URL, or else the database of `npm start` in this checkout. */
export function findDatabaseUrl(): string {
  const { DATABASE_URL } = environmentWith({});
  const url = DATABASE_URL || readServersFile(readLocalSettings().dataDir)?.databaseUrl;
  if (url) return url;
  throw new Error('There is no database: set DATABASE_URL, or run npm start in this checkout.');
}
