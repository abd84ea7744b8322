import { appendFileSync, createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { baseBackup } from '../../local/postgres/base_backup.ts';
import { startPostgres, type Postgres } from '../../local/postgres/postgres.ts';
import { unpackCluster } from '../../local/postgres/unpack_cluster.ts';
import { admin } from '../databases.ts';

const passwords = {
  postgres: 'of-the-superuser',
  market_owner: process.env.TEST_OWNER_PASSWORD!,
  market_app: process.env.TEST_APP_PASSWORD!,
};

/** A PostgreSQL in a folder, and a standby that streams from it. */
export async function openPair(
  folder: string,
): Promise<{ readonly primary: Postgres; readonly standby: Postgres }> {
  const at = (name: string) => join(folder, name);
  const primary = await startPostgres({ folder: at('primary'), passwords, durable: true });
  const hba = join(at('primary'), 'data/pg_hba.conf');
  appendFileSync(hba, 'host replication postgres 127.0.0.1/32 scram-sha-256\n');
  await admin(primary.url, 'select pg_reload_conf()');
  await baseBackup(primary.url, createWriteStream(at('backup.tar')));
  await unpackCluster(at('backup.tar'), at('standby'));
  const data = join(at('standby'), 'data');
  const from = `host=127.0.0.1 port=${primary.port} user=postgres password=${passwords.postgres}`;
  appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${from}'\n`);
  writeFileSync(join(data, 'standby.signal'), '');
  const standby = await startPostgres({ folder: at('standby'), passwords, durable: true });
  return { primary, standby };
}
