import { BadSettings } from '../shared/platform/config/environment.ts';
import { readConfig } from '../shared/composition/config.ts';
import { databaseOf } from '../shared/platform/database.ts';
import { isConflict } from '../shared/platform/fault.ts';
import { openLog } from '../shared/platform/log.ts';
import { masterKeyFaultsBefore } from '../shared/composition/master_keys/proof.ts';
import { openSecrets } from '../shared/platform/secrets.ts';
import { assertMasterKeys } from '../shared/platform/self_checks/key_canaries.ts';
import { roleCheck } from '../shared/platform/self_checks/database_checks.ts';
import { ChangedMigrations } from './hashes.ts';
import { ForeignMigrations, migrate } from './migrate.ts';
import { ownerOf } from './owner.ts';

/** The program of `npm run migrate` and of the release process. */
async function main(): Promise<void> {
  const config = readConfig();
  const log = openLog(config.logLevel, 'migrate');
  const owner = ownerOf(config.migrationDatabaseUrl);
  const application = databaseOf(config.databaseUrl, 2);
  try {
    await Promise.all([owner.initialize(), application.initialize()]);
    const onRepeat = (attempt: number) =>
      log.warn({ attempt }, 'a migration waits for a lock that another transaction holds');
    const ran = await migrate(owner, application, { onRepeat }).catch((error: unknown) => {
      if (error instanceof ForeignMigrations) throw new BadSettings(error.message + ADVICE);
      if (error instanceof ChangedMigrations) throw new BadSettings(error.message);
      if (isConflict(error)) throw new BadSettings(LOCKED);
      throw error;
    });
    log.info({ migrations: ran }, ran.length ? 'the schema was brought up to date' : 'up to date');
    // The processes that start next would end for it.
    const secrets = openSecrets(config.masterKeys);
    await assertMasterKeys(application, secrets, (db) => masterKeyFaultsBefore(db, secrets));
    const { status, message } = await roleCheck(application);
    if (status !== 'ok') log.warn(message);
  } finally {
    await Promise.allSettled([owner.destroy(), application.destroy()]);
  }
}

const LOCKED =
  'Another transaction holds a lock that a migration needs. Nothing of that migration was done: ' +
  'end the transaction (see pg_stat_activity), and run release again.';
const ADVICE =
  '; run the version that made it, or begin with an empty database: for npm start move the folder ' +
  'DATA_DIR (.data) away, else set DATABASE_URL and MIGRATION_DATABASE_URL to a new one.';

main().catch((error: unknown) => {
  console.error(error instanceof BadSettings ? error.message : error);
  process.exitCode = 1;
});
