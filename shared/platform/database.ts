import 'reflect-metadata';
import type { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, type EntityManager } from 'typeorm';

import { migrations } from '../../migrations/files.ts';
import { isConflict, isConnectionLost, isDemoted } from './fault.ts';
import { endIdleSessions } from './connections/half_open.ts';
import { preparing, statementNames, type Connection } from './connections/prepared.ts';
import { execute } from './rows.ts';

const ATTEMPTS_MAX = 5;

/** Statements of the application take no longer: a setting of its role, made when it migrates. */
export const STATEMENT_MS_MAX = 8_000;

/** The name of a session that only reads, and takes long: the dispatcher waits for none. */
export const LONG_READER = 'market-reader';

/**
 * Reads in one snapshot, for as long as that takes. Behind the snapshot PostgreSQL removes no old
 * versions of rows, so let it not take hours: what reads for so long belongs on a standby.
 */
export const readSnapshot = <T>(database: DataSource, work: (db: EntityManager) => Promise<T>) =>
  transact(
    database,
    async (db) => {
      await execute(
        db,
        `select set_config('application_name', $1, true), set_config('statement_timeout', '0', true)`,
        [LONG_READER],
      );
      return work(db);
    },
    { readOnly: true },
  );

/**
 * Works behind PgBouncer in transaction mode: no session state, no LISTEN. What a statement may
 * take is a setting of the role (migrations/run.ts). `prepares`: PostgreSQL keeps the plans of
 * statements (see prepared.ts), which is worth it where the same ones run all the time.
 * `connectMs`: how long a transaction waits for a connection, new or free, before it fails.
 */
export function databaseOf(
  url: string,
  connections: number,
  { prepares = false, connectMs = 3_000 } = {},
): DataSource {
  const prepare = prepares ? preparing(statementNames()) : undefined;
  return new DataSource({
    type: 'postgres',
    url,
    migrations,
    synchronize: false, // The schema is what migrations/*.sql says, and nothing else.
    extra: {
      max: connections,
      connectionTimeoutMillis: connectMs,
      idleTimeoutMillis: 60_000,
      // Without it, a connection whose other end is gone without a FIN would be waited on for ever.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      // PostgreSQL may end a session as it opens it, and a busy process reads both in one piece:
      // an error that comes before the user of the connection listens would end the process.
      onConnect(client: EventEmitter & Connection) {
        client.on('error', () => undefined);
        prepare?.(client);
      },
    },
  });
}

/**
 * Runs `work` in one transaction. Repeats it, up to five attempts in all, where that may help:
 * after a deadlock, and after a connection that was lost before COMMIT was sent. What else `work`
 * throws, it throws once. A write in a transaction that is `readOnly` is `ReadOnlyTransaction`. A
 * connection lost during COMMIT is `LostCommit`: nobody knows whether it happened. Then a job looks
 * at its row first, and a caller is answered that it is not known.
 */
export async function transact<T>(
  database: DataSource,
  work: (db: EntityManager) => Promise<T>,
  { readOnly = false } = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const runner = database.createQueryRunner();
    let committing = false;
    try {
      await runner.query(readOnly ? BEGIN_READ_ONLY : 'start transaction');
      const result = await work(runner.manager);
      committing = !readOnly;
      await runner.query('commit');
      return result;
    } catch (error) {
      // The rollback fails too where the connection is what failed.
      await runner.query('rollback').catch(() => undefined);
      if (committing && isConnectionLost(error)) throw new LostCommit();
      // Not a server that was the primary: this transaction was opened to read.
      if (isDemoted(error) && readOnly) throw new ReadOnlyTransaction(error);
      if (isDemoted(error)) endIdleSessions(database);
      const mayPass = isConflict(error) || isConnectionLost(error);
      if (!mayPass || attempt === ATTEMPTS_MAX) throw error;
    } finally {
      await runner.release();
    }
    await sleep(Math.random() * 20 * 2 ** attempt);
  }
}

/** Runs `work`; what it throws undoes what it did and nothing before that. Its locks end too. */
export async function inSavepoint<T>(db: EntityManager, work: () => Promise<T>): Promise<T> {
  await db.query('savepoint step');
  try {
    const result = await work();
    await db.query('release savepoint step');
    return result;
  } catch (error) {
    // Fails too where the connection is what failed.
    await db.query('rollback to savepoint step; release savepoint step').catch(() => undefined);
    throw error;
  }
}

const BEGIN_READ_ONLY = 'start transaction isolation level repeatable read, read only';

/** Something was to be written in a transaction that was opened read-only: a fault of the code. */
export class ReadOnlyTransaction extends Error {
  constructor(cause: unknown) {
    super(
      'A statement writes or locks in a read-only transaction: `handle` of mode read, `prepare` ' +
        'and `rehydrate` may only read.',
      { cause },
    );
  }
}

/** The connection was lost during COMMIT: the transaction may have happened. */
export class LostCommit extends Error {
  constructor() {
    super('The connection was lost during COMMIT.');
  }
}
