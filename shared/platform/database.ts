import 'reflect-metadata';
import type { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, type EntityManager } from 'typeorm';

import { isConflict, isConnectionLost, isDemoted } from './fault.ts';
import { endIdleSessions } from './connections/half_open.ts';
import { preparing, statementNames, type Connection } from './connections/prepared.ts';
import { traceStatements } from './telemetry/statement_spans.ts';
import { tracing } from './telemetry/tracing.ts';

const ATTEMPTS_MAX = 5;

/** Statement timeout of the application, set on its role by the migration. */
export const STATEMENT_MS_MAX = 8_000;

interface DatabaseOptions {
  readonly prepares?: boolean;
  readonly connectMs?: number;
  readonly onUnprepared?: () => void;
}

/**
 * Opens a data source that works behind PgBouncer in transaction mode: no session state, no LISTEN.
 * The statement timeout is a setting of the role (migrations/run.ts). `prepares`: statements are
 * prepared (see prepared.ts), for processes that repeat the same ones; `onUnprepared` is called
 * when they are not any more. `connectMs`: time that a transaction waits for a new or free
 * connection before it fails.
 */
export function databaseOf(
  url: string,
  connections: number,
  { prepares = false, connectMs = 3_000, onUnprepared }: DatabaseOptions = {},
): DataSource {
  const prepare = prepares ? preparing(statementNames(undefined, onUnprepared)) : undefined;
  return new DataSource({
    type: 'postgres',
    url,
    synchronize: false, // The schema is defined by the migrations alone.
    extra: {
      max: connections,
      connectionTimeoutMillis: connectMs,
      idleTimeoutMillis: 60_000,
      // Without it, a connection whose peer vanished without a FIN would wait for ever.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      // PostgreSQL may end a session right after opening it. A busy process reads both at once, and
      // an error before the user of the connection listens would end the process.
      onConnect(client: EventEmitter & Connection) {
        client.on('error', () => undefined);
        prepare?.(client);
        const traces = tracing();
        if (traces) traceStatements(client, traces);
      },
    },
  });
}

/**
 * Runs `work` in one transaction. Repeats it, up to `attemptsMax` attempts in all, after a deadlock
 * and after a connection lost before COMMIT was sent. Other errors of `work` are thrown at once. A
 * write in a `readOnly` transaction throws `ReadOnlyTransaction`. A connection lost during COMMIT
 * throws `LostCommit`, because the outcome is unknown: a job then reads its row first, and a caller
 * is told so.
 */
export async function transact<T>(
  database: DataSource,
  work: (db: EntityManager) => Promise<T>,
  { readOnly = false, attemptsMax = ATTEMPTS_MAX } = {},
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
      // The rollback fails too if the connection failed.
      await runner.query('rollback').catch(() => undefined);
      if (committing && isConnectionLost(error)) throw new LostCommit();
      // The transaction was opened read-only; the server is not a former primary.
      if (isDemoted(error) && readOnly) throw new ReadOnlyTransaction(error);
      if (isDemoted(error)) endIdleSessions(database);
      const mayPass = isConflict(error) || isConnectionLost(error);
      if (!mayPass || attempt === attemptsMax) throw error;
    } finally {
      await runner.release();
    }
    await sleep(Math.random() * 20 * 2 ** attempt);
  }
}

/** Runs `work` in a savepoint: if it throws, its changes and locks end, and none before it. */
export async function inSavepoint<T>(db: EntityManager, work: () => Promise<T>): Promise<T> {
  await db.query('savepoint step');
  try {
    const result = await work();
    await db.query('release savepoint step');
    return result;
  } catch (error) {
    // Fails too if the connection failed.
    await db.query('rollback to savepoint step; release savepoint step').catch(() => undefined);
    throw error;
  }
}

const BEGIN_READ_ONLY = 'start transaction isolation level repeatable read, read only';

/** A write in a transaction that was opened read-only: a fault of the code. */
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
