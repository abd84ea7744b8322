import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';

import { grantsTo } from './files.ts';

/** Any number, the same for every migrator: "market" on a telephone's keys. */
const TURN = 627538;

/**
 * Brings the schema up to date, each migration in a transaction of its own, and gives the
 * application's role what it may do. Several processes may do so at once, while the application
 * works; one that is killed leaves whole migrations behind, and the next goes on. Returns what ran.
 */
export async function migrate(owner: DataSource, application: DataSource): Promise<string[]> {
  const ran: string[] = [];
  for (;;) {
    const name = await inTurn(owner, nextMigration);
    if (!name) break;
    ran.push(name);
  }
  const [{ role }] = await application.query('select current_user as role');
  await inTurn(owner, async (runner) => {
    await runner.query(grantsTo(role));
    // Of the role, not of each connection: PgBouncer refuses such parameters.
    await application.query(`alter role current_user set statement_timeout = '15s'`);
    await application.query(
      `alter role current_user set idle_in_transaction_session_timeout = '10s'`,
    );
  });
  return ran;
}

async function nextMigration(runner: QueryRunner): Promise<string | undefined> {
  const executor = new MigrationExecutor(runner.connection, runner);
  const [next] = await executor.getPendingMigrations();
  if (next) await executor.executeMigration(next);
  return next?.name;
}

/** One at a time, by a lock that ends with the transaction: PgBouncer lends sessions on. */
async function inTurn<T>(owner: DataSource, act: (runner: QueryRunner) => Promise<T>): Promise<T> {
  const runner = owner.createQueryRunner();
  try {
    await runner.startTransaction();
    await runner.query('set local statement_timeout = 0');
    await runner.query('select pg_advisory_xact_lock($1)', [TURN]);
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
