import { expect } from 'chai';
import type { DataSource } from 'typeorm';

import { databaseOf, transact } from '../../shared/platform/database.ts';
import {
  preparing,
  statementNames,
  type Connection,
} from '../../shared/platform/connections/prepared.ts';
import { column, execute, row, rows } from '../../shared/platform/rows.ts';
import { TestPlatform } from '../harness.ts';

describe('prepared statements', () => {
  let platform: TestPlatform;
  let database: DataSource;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    const { migrationDatabaseUrl } = platform.config;
    // One connection, so that all statements of a test are on the same.
    database = await databaseOf(migrationDatabaseUrl, 1, { prepares: true }).initialize();
    await execute(database, 'set plan_cache_mode = auto'); // as in production
  });
  after(async () => {
    await database.destroy();
    await platform.close();
  });

  const plansOf = (sql: string) =>
    rows(
      database,
      { custom_plans: column.int, generic_plans: column.int },
      `select custom_plans::int, generic_plans::int from pg_prepared_statements
        where statement = $1`,
      [sql],
    );

  it('are planned five times on a connection, however often they run', async () => {
    const sql = 'select username as name from agent where id = $1';
    for (let run = 0; run < 40; run += 1) await rows(database, { name: column.text }, sql, [run]);
    expect(await plansOf(sql)).to.deep.equal([{ custom_plans: 5, generic_plans: 35 }]);
  });

  it('are those that have parameters', async () => {
    const sql = "select 'nothing is chosen here' as name";
    await rows(database, { name: column.text }, sql);
    expect(await plansOf(sql)).to.deep.equal([]);
  });

  it('pass again by themselves when a migration has changed what they answer', async () => {
    const one = () =>
      transact(database, async (db) => {
        const [found] = (await db.query('select * from changed where id = $1', [1])) as object[];
        return found;
      });
    await execute(database, 'create table changed as select 1 as id');
    expect(await one()).to.deep.equal({ id: 1 });
    await execute(database, 'alter table changed add column title text');
    expect(await one()).to.deep.equal({ id: 1, title: null });
    await execute(database, 'drop table changed');
  });

  it('are none any more where a pooler has changed the session in between', async () => {
    let told = 0;
    const options = { prepares: true, onUnprepared: () => (told += 1) };
    const pooled = await databaseOf(platform.config.databaseUrl, 1, options).initialize();
    try {
      const sql = 'select username as name from agent where id = $1';
      const read = () => transact(pooled, (db) => rows(db, { name: column.text }, sql, [0]));
      await read();
      // The driver goes on naming a statement that this session does not have any more.
      await execute(pooled, 'deallocate all');
      for (const _again of [1, 2, 3]) expect(await read()).to.deep.equal([]);
      expect(await rows(pooled, {}, 'select from pg_prepared_statements')).to.deep.equal([]);
      expect(told).to.equal(1);
    } finally {
      await pooled.destroy();
    }
  });

  it('are no more than a few hundred, whatever texts come', async () => {
    const names = statementNames(2);
    const asked: unknown[] = [];
    const connection: Connection = { query: (statement) => asked.push(statement) };
    preparing(names)(connection);
    for (const text of ['select $1', 'select $1, 1', 'select $1, 2', 'select $1']) {
      connection.query(text, [1]);
    }
    const named = asked.map((statement) => typeof statement === 'object');
    expect(named).to.deep.equal([true, true, false, true]);
  });

  it('of the application are the default, and a setting turns them off', async () => {
    const sql = 'select username as name from agent where id = $1';
    const ran = async (of: TestPlatform) => {
      await rows(of.context.database, { name: column.text }, sql, [0]);
      const { prepared } = await row(
        of.context.database,
        { prepared: column.int },
        'select count(*)::int as prepared from pg_prepared_statements',
      );
      return prepared;
    };
    expect(await ran(platform)).to.be.greaterThan(0);
    const without = await TestPlatform.open({
      workers: false,
      env: { DATABASE_PREPARES: 'false' },
    });
    try {
      expect(await ran(without)).to.equal(0);
    } finally {
      await without.close();
    }
  });
});
