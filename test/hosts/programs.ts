import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { findRedis } from '../../local/redis/binary.ts';
import { libraryPath, unpackDebian } from '../../local/processes/apt.ts';

/** Debian's servers, of the system or unpacked for this checkout alone. */
export interface Programs {
  readonly etcd: string;
  readonly haproxy: string;
  readonly patroni: readonly string[];
  readonly pgbackrest: string;
  readonly redis: string;
  /** Folder of PostgreSQL's programs. */
  readonly postgresBin: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const POSTGRES_BIN = 'usr/lib/postgresql/15/bin';

/** Throws with the name of a package that is not to be had. */
export async function findPrograms(): Promise<Programs> {
  const roots: string[] = [];
  const find = async (name: string, path: string) => {
    if (existsSync(join('/', path))) return join('/', path);
    const root = await unpackDebian(name);
    if (!root) throw new Error(`There is no apt here that gives ${name}.`);
    roots.push(root);
    return join(root, path);
  };
  const etcd = await find('etcd-server', 'usr/bin/etcd');
  const haproxy = await find('haproxy', 'usr/sbin/haproxy');
  const patroni = await find('patroni', 'usr/bin/patroni');
  const pgbackrest = await find('pgbackrest', 'usr/bin/pgbackrest');
  const postgres = await find('postgresql-15', `${POSTGRES_BIN}/postgres`);
  const redis = await findRedis('apt').catch(() => findRedis());
  return {
    etcd,
    haproxy,
    // Patroni's packages are those of the system's Python.
    patroni: ['/usr/bin/python3', patroni],
    pgbackrest,
    redis: redis.file,
    postgresBin: join(postgres, '..'),
    env: {
      PATH: process.env.PATH,
      LC_ALL: 'C.UTF-8',
      PYTHONPATH: roots.map((root) => join(root, 'usr/lib/python3/dist-packages')).join(':'),
      LD_LIBRARY_PATH: [
        ...roots.map(libraryPath),
        ...(redis.env.LD_LIBRARY_PATH ? [redis.env.LD_LIBRARY_PATH] : []),
      ].join(':'),
    },
  };
}
