import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';

import { postgresUser } from '../../local/processes/user.ts';
import { eventually } from '../platform/eventually.ts';
import { makeFolder } from './configuration.ts';
import type { DatabaseHosts } from './database_hosts.ts';
import type { Programs } from './programs.ts';

const RESTORED_PORT = '5499';
const SECONDS_APART = 2;

/** Backups by pgBackRest on the host of the primary, as deploy/runbook.md has them. */
export function openBackups(programs: Programs, databases: DatabaseHosts) {
  const user = postgresUser();

  /** Runs a program on a host to its end, and returns what it printed. Throws if it failed. */
  async function run(name: string, file: string, args: readonly string[]): Promise<string> {
    const host = databases.hostNamed(name);
    const log = join(host.values.DATA!, 'command.log');
    const output = openSync(log, 'w');
    const { ended } = host.run(file, args, {
      user,
      cwd: host.values.DATA!,
      env: programs.env,
      output,
    });
    const code = await ended;
    closeSync(output);
    const printed = readFileSync(log, 'utf8');
    if (code !== 0) throw new Error(`${file} ${args.join(' ')}: ${String(code)}\n${printed}`);
    return printed.trim();
  }

  const pgbackrest = (name: string, ...args: string[]) => {
    const config = join(databases.hostNamed(name).values.CONFIG!, 'pgbackrest.conf');
    return run(name, programs.pgbackrest, [`--config=${config}`, '--stanza=market', ...args]);
  };

  return {
    create: async () => pgbackrest(await databases.leader(), 'stanza-create'),
    /** Resolves when a moment of now can be restored: a backup's end is known to the second. */
    async take(): Promise<void> {
      await pgbackrest(await databases.leader(), '--type=full', 'backup');
      const endedAt = Date.now();
      await eventually(
        async () => Date.now(),
        (now) => now - endedAt > SECONDS_APART * 1_000,
      );
    },
    /** The time by PostgreSQL's clock. */
    moment: () =>
      databases.asSuperuser('market', async (client) => {
        const { rows } = await client.query<{ now: string }>(
          'select clock_timestamp()::text as now',
        );
        return rows[0]!.now;
      }),
    /**
     * Restores the database as it was at a moment, beside the one that runs. Returns the ids of the
     * orders that are in it.
     */
    async ordersAt(moment: string): Promise<readonly number[]> {
      const leader = await databases.leader();
      const { values, ...host } = databases.hostNamed(leader);
      await databases.asSuperuser('market', archived);
      const data = makeFolder(join(values.DATA!, 'restored'), user);
      const time = ['--type=time', `--target=${moment}`, '--target-action=promote'];
      await pgbackrest(leader, `--pg1-path=${data}`, ...time, '--archive-mode=off', 'restore');
      const settings = {
        port: RESTORED_PORT,
        listen_addresses: '',
        unix_socket_directories: values.DATA!,
        max_connections: '300',
      };
      host.run(
        join(programs.postgresBin, 'postgres'),
        [
          '-D',
          data,
          ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
        ],
        { user, cwd: values.DATA!, env: programs.env, output: openSync(`${data}.log`, 'a') },
      );
      const psql = join(programs.postgresBin, 'psql');
      const login = ['-h', values.DATA!, '-p', RESTORED_PORT, '-U', 'postgres', '-d', 'market'];
      const query = (sql: string) => run(leader, psql, [...login, '-Atc', sql]);
      await eventually(
        () => query('select pg_is_in_recovery()').catch(() => 'it does not answer yet'),
        (answer) => answer === 'f',
      );
      return JSON.parse(await query("select coalesce(json_agg(id), '[]') from orders")) as number[];
    },
  };
}

/** Resolves when all that is written until now is in the repository. */
async function archived(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select pg_walfile_name(pg_switch_wal()) as name',
  );
  await eventually(
    async () => {
      const sql = 'select last_archived_wal >= $1 as is_there from pg_stat_archiver';
      return (await client.query<{ is_there: boolean | null }>(sql, [rows[0]!.name])).rows[0];
    },
    (answer) => answer?.is_there === true,
  );
}
