import { MigrationExecutor, type DataSource } from 'typeorm';

import { grantsTo } from './files.ts';

/** Any number, the same for every migrator: "market" on a telephone's keys. */
const TURN = 627538;

/**
 * Brings the schema up to date and gives the application's role what it may do: all of it or
 * nothing. Safe to run by several processes at once and while the application works. Returns what
 * it ran.
 */
export async function migrate(owner: DataSource, application: DataSource): Promise<string[]> {
  const [{ role }] = await application.query('select current_user as role');
  // Of the role, not of each connection: PgBouncer refuses such parameters.
  await application.query(`alter role current_user set statement_timeout = '15s'`);
  await application.query(
    `alter role current_user set idle_in_transaction_session_timeout = '10s'`,
  );

  const runner = owner.createQueryRunner();
  try {
    await runner.startTransaction();
    await runner.query('set local statement_timeout = 0');
    await runner.query('select pg_advisory_xact_lock($1)', [TURN]); // one migrator at a time
    await runner.query(`set local lock_timeout = '2s'`); // rather fail than hold up the application
    const executor = new MigrationExecutor(owner, runner);
    executor.transaction = 'none'; // ours is open
    const ran = await executor.executePendingMigrations();
    await runner.query(grantsTo(role));
    await runner.commitTransaction();
    return ran.map(({ name }) => name);
  } catch (error) {
    await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
  }
}
