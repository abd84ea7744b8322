import type { DataSource } from 'typeorm';

import { databaseOf } from '../shared/platform/database.ts';
import { migrations } from './files.ts';
import { migrate } from './migrate.ts';

/** A database as the owner of its tables, who can migrate it. Not connected yet. */
export const ownerOf = (url: string, connections = 2): DataSource =>
  databaseOf(url, connections).setOptions({ migrations });

/** Migrates the database of these two URLs, of its owner and of the application. */
export async function migrateAt(urls: { owner: string; application: string }): Promise<void> {
  const owner = ownerOf(urls.owner);
  const application = databaseOf(urls.application, 1);
  await Promise.all([owner.initialize(), application.initialize()]);
  await migrate(owner, application);
  await Promise.all([owner.destroy(), application.destroy()]);
}
