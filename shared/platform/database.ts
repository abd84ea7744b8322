import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, type EntityManager } from 'typeorm';

import { migrations } from '../../migrations/files.ts';
import { Agents, ApiKeys } from '../agents/agents.ts';
import { isConflict, isConnectionLost } from './fault.ts';
import { Orders } from '../orders/orders.ts';
import { Products } from '../products/products.ts';
import { Refusal } from '../kernel/refusal.ts';

const TRIES_MAX = 5;

/**
 * Works behind PgBouncer in transaction mode: no named statements, no session state, no LISTEN.
 * Time limits of statements are settings of the role (migrations/run.ts).
 */
export function databaseOf(url: string, connections: number): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    entities: [Agents, ApiKeys, Orders, Products],
    migrations,
    synchronize: false, // The schema is what migrations/*.sql says, and nothing else.
    extra: {
      max: connections,
      connectionTimeoutMillis: 3_000,
      idleTimeoutMillis: 60_000,
      // Or a connection whose other end vanished without a word is waited on for ever.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    },
  });
}

/**
 * Runs `work` in one transaction, and again where the database says that may help: deadlocks, and
 * connections lost before COMMIT was sent. Lost during COMMIT means nobody knows: a job looks at
 * its row and comes back, a caller is told so.
 */
export async function transact<T>(
  database: DataSource,
  work: (db: EntityManager) => Promise<T>,
  { readOnly = false } = {},
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const runner = database.createQueryRunner();
    let committing = false;
    try {
      // TypeORM must know of it: inside a transaction it does not know, save() commits on its own.
      // Where nothing is saved, one statement says all.
      if (readOnly) await runner.query(BEGIN_TO_READ);
      else await runner.startTransaction();
      const result = await work(runner.manager);
      committing = !readOnly;
      await (readOnly ? runner.query('commit') : runner.commitTransaction());
      return result;
    } catch (error) {
      // The connection may be the fault.
      const rollback = readOnly ? runner.query('rollback') : runner.rollbackTransaction();
      await rollback.catch(() => undefined);
      if (committing && isConnectionLost(error)) throw new LostCommit();
      const again = isConflict(error) || (isConnectionLost(error) && !isRefusal(error));
      if (!again || tries === TRIES_MAX) throw error;
    } finally {
      await runner.release();
    }
    await sleep(Math.random() * 20 * 2 ** tries);
  }
}

const BEGIN_TO_READ = 'start transaction isolation level repeatable read, read only';

const isRefusal = (error: unknown) => error instanceof Refusal;

/** The connection went away during COMMIT: it may have happened. */
export class LostCommit extends Error {
  constructor() {
    super('The connection was lost during COMMIT.');
  }
}
