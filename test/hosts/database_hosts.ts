import { existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

import { postgresUser } from '../../local/processes/user.ts';
import { newPassword } from '../../local/stored_values.ts';
import { eventually } from '../platform/eventually.ts';
import {
  configure,
  environmentOf,
  makeFolder,
  rendered,
  userName,
  type Values,
} from './configuration.ts';
import { networkOf, openHost, type Host } from './network.ts';
import type { Programs } from './programs.ts';
import { replicationOf } from './redis_state.ts';

const NAMES = ['db1', 'db2', 'db3'] as const;

interface Member {
  readonly name: string;
  readonly role: string;
}

interface Cluster {
  readonly members: readonly Member[];
}

/** A host with etcd, Patroni and PostgreSQL, Redis and Sentinel. */
interface DatabaseHost extends Host {
  /** Kills Redis there, and starts it when `act` is done. */
  readonly withoutRedis: (act: () => Promise<unknown>) => Promise<void>;
  readonly values: Values;
}

export type DatabaseHosts = Awaited<ReturnType<typeof openDatabaseHosts>>;

/** `isSynchronous` false: the deployment that a drill must find faulty. */
export async function openDatabaseHosts(
  programs: Programs,
  folder: string,
  { isSynchronous = true } = {},
) {
  const user = postgresUser();
  const passwords = {
    SUPERUSER_PASSWORD: newPassword(),
    REPLICATION_PASSWORD: newPassword(),
    PATRONI_PASSWORD: newPassword(),
    REDIS_PASSWORD: newPassword(),
    OWNER_PASSWORD: newPassword(),
    APP_PASSWORD: newPassword(),
  };
  const hosts = new Map<string, DatabaseHost>();
  const repository = makeFolder(join(folder, 'repository'), user);
  makeFolder(folder, user);

  async function start(name: string): Promise<void> {
    const number = NAMES.indexOf(name as (typeof NAMES)[number]) + 1;
    const host = await openHost(name, number);
    const at = makeFolder(join(folder, name), user);
    const values: Values = {
      ...passwords,
      HOST_NAME: name,
      ADDRESS: host.addressOn('client'),
      CLUSTER_ADDRESS: host.addressOn('cluster'),
      CLIENT_NETWORK: networkOf('client'),
      CLUSTER_NETWORK: networkOf('cluster'),
      ...addresses(),
      SERVER_USER: userName(user),
      DATA: at,
      CONFIG: makeFolder(join(at, 'config'), user),
      BACKUP_REPOSITORY: repository,
      POSTGRES_BIN: programs.postgresBin,
      PGBACKREST: programs.pgbackrest,
      SYNCHRONOUS: String(isSynchronous),
    };
    const run = (log: string, file: string, args: readonly string[], env: Values = {}) =>
      host.run(file, args, {
        user,
        cwd: at,
        env: { ...programs.env, ...env },
        output: openSync(join(at, `${log}.log`), 'a'),
        isKept: true,
      });
    for (const one of ['redis', 'sentinel', 'pgbackrest']) makeFolder(join(at, one), user);

    run('etcd', programs.etcd, [], environmentOf(rendered('etcd.env', values)));
    configure('pgbackrest.conf', values, user);
    const [python, patroni] = programs.patroni as [string, string];
    run('patroni', python, [patroni, configure('patroni.yml', values, user)]);
    // Redis and Sentinel write what they learn into these files, which a restart must find.
    const isFirstStart = !existsSync(join(values.CONFIG!, 'redis.conf'));
    const replica = name === NAMES[0] ? '' : `replicaof ${values.DB1} 6379\n`;
    if (isFirstStart) {
      configure('redis.conf', values, user, replica);
      configure('sentinel.conf', values, user);
    }
    const fileOf = (file: string) => join(values.CONFIG!, file);
    const startRedis = () => run('redis', programs.redis, [fileOf('redis.conf')]);
    let redis = startRedis();
    const withoutRedis = async (act: () => Promise<unknown>) => {
      redis.kill('SIGKILL');
      await redis.ended;
      await act();
      redis = startRedis();
    };
    run('sentinel', programs.redis, [fileOf('sentinel.conf'), '--sentinel']);
    hosts.set(name, { ...host, withoutRedis, values });
  }

  const hostNamed = (name: string): DatabaseHost => hosts.get(name)!;

  /** The members that Patroni knows, from whichever host answers. */
  async function members(): Promise<readonly Member[]> {
    for (const host of hosts.values()) {
      const found = await fetch(`http://${host.addressOn('client')}:8008/cluster`, {
        signal: AbortSignal.timeout(2_000),
      })
        .then((reply) => reply.json() as Promise<Partial<Cluster>>)
        .catch(() => undefined);
      if (found?.members) return found.members;
    }
    return [];
  }

  const redisOf = (host: Host) => replicationOf(host.addressOn('client'), passwords.REDIS_PASSWORD);

  /** The host of the primary of Redis. */
  async function redisPrimary(): Promise<DatabaseHost> {
    const find = async () => {
      for (const host of hosts.values()) {
        if ((await redisOf(host)).includes('role:master')) return host;
      }
      return undefined;
    };
    return (await eventually(find, (found) => found !== undefined))!;
  }

  /** The hosts whose Patroni says that it is the primary's: also one that was just cut off. */
  async function primaries(): Promise<readonly string[]> {
    const found = await Promise.all(
      [...hosts.values()].map(async (host) => {
        const url = `http://${host.addressOn('client')}:8008/primary`;
        const isPrimary = await fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
          ({ ok }) => ok,
          () => false,
        );
        return isPrimary ? [host.name] : [];
      }),
    );
    return found.flat();
  }

  /** The name of the primary's host, as soon as there is one. */
  const leader = async (): Promise<string> =>
    (await eventually(primaries, ({ length }) => length === 1))[0]!;

  async function asSuperuser<T>(
    database: string,
    act: (client: pg.Client) => Promise<T>,
  ): Promise<T> {
    const address = hostNamed(await leader()).addressOn('cluster');
    const password = passwords.SUPERUSER_PASSWORD;
    const connectionString = `postgres://postgres:${password}@${address}:5432/${database}`;
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
    // A host that is lost ends its connections, also those that nobody asks anything.
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await act(client);
    } finally {
      await client.end();
    }
  }

  /** Replicas that PostgreSQL's primary sends to: Patroni would count one that is yet to rewind. */
  const streaming = () =>
    asSuperuser('postgres', async (client) => {
      const sql = "select from pg_stat_replication where state = 'streaming'";
      return (await client.query(sql)).rows.length;
    }).catch(() => 0);

  /** A primary and two replicas of PostgreSQL, one of them synchronous, and two of Redis. */
  async function whole(): Promise<void> {
    await eventually(
      async () => ({ replicas: await streaming(), members: await members() }),
      (now) =>
        now.replicas === NAMES.length - 1 &&
        (!isSynchronous || now.members.some(({ role }) => role === 'sync_standby')),
    );
    await eventually(
      async () => {
        const all = await Promise.all([...hosts.values()].map(redisOf));
        return all.filter((info) => info.includes('master_link_status:up')).length;
      },
      (replicas) => replicas === NAMES.length - 1,
    );
  }

  for (const name of NAMES) await start(name);
  await whole();

  return {
    passwords,
    hostNamed,
    whole,
    start,
    redisPrimary,
    addresses,
    leader,
    asSuperuser,
    /** Resolves when another host than this one is the primary's, or when none is. */
    replaced: (name: string) => eventually(primaries, (all) => all.some((one) => one !== name)),
    withoutPrimary: () => eventually(primaries, ({ length }) => length === 0),
    others: (name: string) => NAMES.filter((one) => one !== name).map(hostNamed),
    /** The database as the application's role, at the host of the primary. */
    async applicationUrl(): Promise<string> {
      const address = hostNamed(await leader()).addressOn('client');
      return `postgres://market_app:${passwords.APP_PASSWORD}@${address}:5432/market`;
    },
    /** Makes the synchronous standby the primary, as planned work does. */
    async switchover(): Promise<void> {
      const from = await leader();
      const url = `http://${hostNamed(from).addressOn('client')}:8008`;
      const login = Buffer.from(`patroni:${passwords.PATRONI_PASSWORD}`).toString('base64');
      const ask = async () => {
        const { members: all } = (await (await fetch(`${url}/cluster`)).json()) as Cluster;
        const candidate = all.find(({ role }) => role === 'sync_standby')?.name;
        const headers = { authorization: `Basic ${login}` };
        const body = JSON.stringify({ leader: from, candidate });
        return fetch(`${url}/switchover`, { method: 'POST', headers, body });
      };
      // Refused while the standby changes.
      await eventually(ask, ({ ok }) => ok);
      await eventually(leader, (name) => name !== from);
    },
  };
}

/** The addresses of the database hosts as deploy/hosts names them. */
function addresses(): Values {
  const entries = NAMES.flatMap((name, n) => [
    [name.toUpperCase(), `10.77.0.${n + 1}`],
    [`${name.toUpperCase()}_CLUSTER`, `10.78.0.${n + 1}`],
  ]);
  return Object.fromEntries(entries) as Values;
}
