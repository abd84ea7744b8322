import { setTimeout as sleep } from 'node:timers/promises';

import { MigrationExecutor, type DataSource, type Migration, type QueryRunner } from 'typeorm';

import { functions, grantsOfNewTables, grantsTo, type SqlMigration } from './files.ts';
import { STATEMENT_MS_MAX } from '../shared/platform/database.ts';
import { isConflict } from '../shared/platform/fault.ts';
import { applyFunctions } from './functions.ts';
import { noteHash, refuseChanged } from './hashes.ts';

/** Any number, the same for every migrator: "market" on a telephone's keys. */
const LOCK_ID = 627538;
const LOCK_POLL_MS = 100;

/** How a migration waits for the locks of its tables, while the application holds them. */
interface LockWait {
  /** Maximum ms of one wait: meanwhile the application waits behind it. */
  readonly lockMs: number;
  /** Time for the application between two attempts, in ms. */
  readonly pauseMs: number;
  readonly attempts: number;
  /** Notified before another attempt. */
  readonly onRepeat?: (attempt: number) => void;
}
const LOCK_WAIT: LockWait = { lockMs: 2_000, pauseMs: 3_000, attempts: 60 };

/**
 * Brings the schema up to date, each migration in a transaction of its own, and makes the functions
 * and the privileges of the application's role what their files say, together with the last
 * migration: the application never sees the new schema with the old functions. Several processes
 * may do so at once, while the application works; one that is killed leaves whole migrations
 * behind, and the next continues. A file that was changed after it had run is refused before the
 * first statement. A lock that is held for long is tried for again and again. Returns what ran.
 * `owner` needs two connections for a migration without a transaction.
 */
export async function migrate(
  owner: DataSource,
  application: DataSource,
  wait: Partial<LockWait> = {},
): Promise<string[]> {
  const ran: string[] = [];
  const lockWait = { ...LOCK_WAIT, ...wait };
  const { lockMs } = lockWait;
  await withLock(owner, lockMs, async (runner) => refuseChanged(runner, await executed(runner)));
  const [{ role }] = await application.query('select current_user as role');
  const runNext = async (runner: QueryRunner) => {
    const [next, ...later] = await pendingMigrations(runner);
    if (next) await execute(next, runner, role);
    if (later.length === 0) await finish(runner, application);
    return { name: next?.name, isLast: later.length === 0 };
  };
  for (;;) {
    const { name, isLast } = await repeated(lockWait, () => withLock(owner, lockMs, runNext));
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
  await executed(runner);
  return new MigrationExecutor(runner.connection, runner).getPendingMigrations();
}

/** The migrations that the database has run, all of which this version has too. */
async function executed(runner: QueryRunner): Promise<SqlMigration[]> {
  const executor = new MigrationExecutor(runner.connection, runner);
  const names = (await executor.getExecutedMigrations()).map(({ name }) => name);
  const shipped = new Map(
    (runner.connection.migrations as SqlMigration[]).map((one) => [one.name, one]),
  );
  const foreign = names.filter((name) => !shipped.has(name));
  if (foreign.length > 0) throw new ForeignMigrations(foreign);
  return names.flatMap((name) => shipped.get(name) ?? []);
}

async function execute(migration: Migration, runner: QueryRunner, role: string): Promise<void> {
  if (migration.instance?.transaction !== false) {
    // A trigger may write to a new table as soon as this is committed, before the last migration.
    await runner.query(grantsOfNewTables('grant', role));
    await executeBy(runner, migration);
    await runner.query(grantsOfNewTables('revoke', role));
    return;
  }
  // Beside the transaction that holds the lock. That one holds no snapshot and no lock of a table
  // with rows, so that a concurrent index does not wait for it.
  const outside = runner.connection.createQueryRunner();
  try {
    await executeBy(outside, migration);
  } finally {
    await outside.release();
  }
}

async function executeBy(runner: QueryRunner, migration: Migration): Promise<void> {
  // Before it runs: without a transaction a kill right after it would leave it without a hash.
  await noteHash(runner, migration.instance as SqlMigration);
  await new MigrationExecutor(runner.connection, runner).executeMigration(migration);
}

async function finish(runner: QueryRunner, application: DataSource): Promise<void> {
  await applyFunctions(runner, functions);
  const [{ role }] = await application.query('select current_user as role');
  await runner.query(grantsTo(role));
  // A setting of the role, not of each connection: PgBouncer refuses such parameters.
  await application.query(`alter role current_user set statement_timeout = ${STATEMENT_MS_MAX}`);
  // Statements of the application are short: starting workers costs more than they save.
  await application.query('alter role current_user set max_parallel_workers_per_gather = 0');
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

/** Repeats a migration, which was undone as a whole, while others hold locks that it needs. */
async function repeated<T>(
  { attempts, pauseMs, onRepeat }: LockWait,
  act: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act();
    } catch (error) {
      if (!isConflict(error) || attempt === attempts) throw error;
      onRepeat?.(attempt);
      await sleep(pauseMs);
    }
  }
}

/** One at a time, by a lock that ends with the transaction: PgBouncer lends sessions on. */
async function withLock<T>(
  owner: DataSource,
  lockMs: number,
  act: (runner: QueryRunner) => Promise<T>,
): Promise<T> {
  const runner = owner.createQueryRunner();
  try {
    // Whoever waited for it in a transaction would have a snapshot all the while, and a concurrent
    // index that is built under the lock waits for those who have one.
    while (!(await locks(runner))) await sleep(LOCK_POLL_MS);
    await runner.query('set local statement_timeout = 0');
    await runner.query('set local idle_in_transaction_session_timeout = 0');
    await runner.query(`set local lock_timeout = ${lockMs}`);
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
