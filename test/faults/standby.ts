import { appendFileSync, createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { baseBackup } from '../../local/postgres/base_backup.ts';
import { startPostgres, type Postgres } from '../../local/postgres/postgres.ts';
import { unpackCluster } from '../../local/postgres/unpack_cluster.ts';
import { databaseOf } from '../../shared/platform/database.ts';
import { admin } from '../databases.ts';
import { temporaryFolder } from '../../local/test_run/temporary_folder.ts';
import { eventually, type TestPlatform } from '../harness.ts';

const passwords = {
  postgres: 'of-the-superuser',
  market_owner: process.env.TEST_OWNER_PASSWORD!,
  market_app: process.env.TEST_APP_PASSWORD!,
};

/** Opens a platform and a standby that has all of its rows. */
export async function openFollowed(
  open: (options: { postgresUrl: string }) => Promise<TestPlatform>,
) {
  const folder = temporaryFolder();
  const { primary, standby } = await openPair(folder.path);
  const platform = await open({ postgresUrl: primary.url });
  await eventually(() => hasReplayed(platform, standby), Boolean);
  return {
    folder,
    primary,
    standby,
    platform,
    async close() {
      await platform.close();
      await Promise.all([primary.stop(), standby.stop()]);
      await folder.remove();
    },
  };
}

export type FollowedPlatform = Awaited<ReturnType<typeof openFollowed>>;

/** A PostgreSQL in a folder, and a standby that streams from it. */
async function openPair(
  folder: string,
): Promise<{ readonly primary: Postgres; readonly standby: Postgres }> {
  const primary = await startPostgres({
    folder: join(folder, 'primary'),
    passwords,
    durable: true,
  });
  const hba = join(folder, 'primary/data/pg_hba.conf');
  appendFileSync(hba, 'host replication postgres 127.0.0.1/32 scram-sha-256\n');
  await admin(primary.url, 'select pg_reload_conf()');
  return { primary, standby: await openStandbyOf(primary, folder, 'standby') };
}

/** One more standby that streams from a primary. */
export async function openStandbyOf(
  primary: Postgres,
  folder: string,
  name: string,
): Promise<Postgres> {
  const backup = join(folder, `${name}.tar`);
  await baseBackup(primary.url, createWriteStream(backup));
  await unpackCluster(backup, join(folder, name));
  const data = join(folder, name, 'data');
  const from = `host=127.0.0.1 port=${primary.port} user=postgres password=${passwords.postgres}`;
  appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${from}'\n`);
  writeFileSync(join(data, 'standby.signal'), '');
  return startPostgres({ folder: join(folder, name), passwords, durable: true });
}

/** Whether the standby has all that the platform's primary has written. */
export async function hasReplayed(platform: TestPlatform, standby: Postgres): Promise<boolean> {
  const [{ lsn }] = await platform.query('select pg_current_wal_lsn()::text as lsn');
  const sql = 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as has_it';
  const [{ has_it }] = await queryOf(standby.url, sql, [lsn]);
  return has_it;
}

/** Rows that a server answers to one statement. */
export async function queryOf(url: string, sql: string, parameters: unknown[] = []) {
  const database = await databaseOf(url, 1).initialize();
  try {
    return await database.query(sql, parameters);
  } finally {
    await database.destroy();
  }
}
