import { setTimeout as sleep } from 'node:timers/promises';

import { MigrationExecutor, type DataSource, type Migration, type QueryRunner } from 'typeorm';

import { functions, grantsTo } from './files.ts';
import { STATEMENT_MS_MAX } from '../shared/platform/database.ts';
import { applyFunctions } from './functions.ts';

/** Any number, the same for every migrator: "market" on a telephone's keys. */
const LOCK_ID = 627538;
const LOCK_POLL_MS = 100;

/**
 * Brings the schema up to date, each migration in a transaction of its own, and makes the functions
 * and the privileges of the application's role what their files say, together with the last
 * migration: the application never sees the new schema with the old functions. Several processes
 * may do so at once, while the application works; one that is killed leaves whole migrations
 * behind, and the next continues. Returns what ran. `owner` needs two connections for a migration
 * without a transaction.
 */
export async function migrate(owner: DataSource, application: DataSource): Promise<string[]> {
  const ran: string[] = [];
  for (;;) {
    const { name, isLast } = await withLock(owner, async (runner) => {
      const [next, ...later] = await pendingMigrations(runner);
      if (next) await execute(next, runner);
      if (later.length === 0) await finish(runner, application);
      return { name: next?.name, isLast: later.length === 0 };
    });
    if (name) ran.push(name);
    if (isLast) return ran;
  }
}

/** The database is not of this version: it has run migrations that this version does not have. */
export class ForeignMigrations extends Error {
  constructor(names: readonly string[]) {
    super(`The database has run migrations that this version does not have: ${names.join(', ')}`);
  }
}

async function pendingMigrations(runner: QueryRunner): Promise<Migration[]> {
  const executor = new MigrationExecutor(runner.connection, runner);
  const known = new Set(runner.connection.migrations.map(({ name }) => name));
  const executed = await executor.getExecutedMigrations();
  const foreign = executed.filter(({ name }) => !known.has(name));
  if (foreign.length > 0) throw new ForeignMigrations(foreign.map(({ name }) => name));
  return executor.getPendingMigrations();
}

async function execute(migration: Migration, runner: QueryRunner): Promise<void> {
  if (migration.instance?.transaction !== false) {
    await new MigrationExecutor(runner.connection, runner).executeMigration(migration);
    return;
  }
  // Beside the transaction that holds the lock. That one holds no snapshot and no lock of a table
  // with rows, so that a concurrent index does not wait for it.
  const outside = runner.connection.createQueryRunner();
  try {
    await new MigrationExecutor(runner.connection, outside).executeMigration(migration);
  } finally {
    await outside.release();
  }
}

async function finish(runner: QueryRunner, application: DataSource): Promise<void> {
  await applyFunctions(runner, functions);
  const [{ role }] = await application.query('select current_user as role');
  await runner.query(grantsTo(role));
  // Of the role, not of each connection: PgBouncer refuses such parameters.
  await application.query(`alter role current_user set statement_timeout = ${STATEMENT_MS_MAX}`);
  await application.query(
    `alter role current_user set idle_in_transaction_session_timeout = '10s'`,
  );
}

/** Begins a transaction that has the lock; false: another one has it. */
async function locks(runner: QueryRunner): Promise<boolean> {
  await runner.startTransaction();
  const sql = 'select pg_try_advisory_xact_lock($1) as locked';
  const [{ locked }] = await runner.query(sql, [LOCK_ID]);
  if (!locked) await runner.rollbackTransaction();
  return locked;
}

/** One at a time, by a lock that ends with the transaction: PgBouncer lends sessions on. */
async function withLock<T>(
  owner: DataSource,
  act: (runner: QueryRunner) => Promise<T>,
): Promise<T> {
  const runner = owner.createQueryRunner();
  try {
    // Whoever waited for it in a transaction would have a snapshot all the while, and a concurrent
    // index that is built under the lock waits for those who have one.
    while (!(await locks(runner))) await sleep(LOCK_POLL_MS);
    await runner.query('set local statement_timeout = 0');
    await runner.query('set local idle_in_transaction_session_timeout = 0');
    await runner.query(`set local lock_timeout = '2s'`); // rather fail than hold up the application
    const result = await act(runner);
    await runner.commitTransaction();
    return result;
  } catch (error) {
    await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
  }
}
