import { randomUUID } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { DataSource } from 'typeorm';

import { ownerOf } from '../../migrations/owner.ts';
import { newMasterKey } from '../../shared/platform/config/setting_values.ts';
import { admin, urlAs } from '../databases.ts';
import { programArguments } from '../programs.ts';

const POSTGRES = process.env.TEST_POSTGRES_URL!;

/** An empty database for each test of this suite, and the program that migrates it. */
export function scratchDatabase() {
  let name: string;
  const open: DataSource[] = [];

  beforeEach(async () => {
    name = `migrated_${randomUUID().slice(0, 8)}`;
    await admin(POSTGRES, `create database ${name} owner market_owner`);
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((database) => database.destroy()));
    await admin(POSTGRES, `drop database ${name} with (force)`);
  });

  async function connect(role: 'market_owner' | 'market_app'): Promise<DataSource> {
    const database = await ownerOf(urlAs(POSTGRES, name, role), 3).initialize();
    open.push(database);
    return database;
  }

  /** A process of another version, with these migrations. */
  async function withMigrations(others: unknown[]): Promise<DataSource> {
    const { options } = await connect('market_owner');
    const database = await new DataSource({ ...options, migrations: others } as never).initialize();
    open.push(database);
    return database;
  }

  const startProgram = () =>
    spawn(process.execPath, programArguments('migrations/run.ts'), {
      env: {
        ...process.env,
        DATABASE_URL: urlAs(POSTGRES, name, 'market_app'),
        MIGRATION_DATABASE_URL: urlAs(POSTGRES, name, 'market_owner'),
        REDIS_URL: 'redis://127.0.0.1:1',
        OPERATOR_TOKEN: 'operator-token-of-the-tests',
        MASTER_KEYS: newMasterKey('test'),
        LOG_LEVEL: 'silent',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });

  /** Its exit code, and what it has written. */
  async function endOfProgram(): Promise<[code: number, written: string]> {
    const child = startProgram();
    const chunks: Buffer[] = [];
    child.stderr!.on('data', (chunk: Buffer) => chunks.push(chunk));
    const [code] = await once(child, 'close');
    return [code, Buffer.concat(chunks).toString()];
  }

  return { open, connect, withMigrations, startProgram, endOfProgram };
}
