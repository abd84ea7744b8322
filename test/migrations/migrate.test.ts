// test:all: databases of earlier versions are migrated.
import { once } from 'node:events';
import { expect } from 'chai';
import type { DataSource } from 'typeorm';

import { migrationOf, migrations } from '../../migrations/files.ts';
import { ForeignMigrations, migrate } from '../../migrations/migrate.ts';
import { eventually } from '../harness.ts';
import { scratchDatabase } from './scratch_database.ts';

/** Waits for the table that it refers to, and notes for how long it would have waited at most. */
const NEXT_SQL = `
  create table next as select current_setting('lock_timeout') as waits;
  alter table next add column agent_id bigint references agent`;

/** A table that a trigger writes to, on a table that the application writes to. */
const NOTED_SQL = `
  create table noted (asset text);
  create function notes() returns trigger language plpgsql as $$
  begin
    insert into noted values (new.asset);
    delete from noted where asset = 'none';
    return null;
  end $$;
  create trigger notes after insert on asset_price for each row execute function notes()`;

describe('migrate', function () {
  this.timeout(60_000);

  const { open, connect, withMigrations, startProgram, endOfProgram } = scratchDatabase();

  const ranIn = async (owner: DataSource): Promise<string[]> =>
    (await owner.query('select name from migrations order by id')).map(
      (row: { name: string }) => row.name,
    );
  const all = migrations.map((Migration) => new Migration().name!);

  it('runs each migration once when two processes migrate at the same moment', async () => {
    const both = await Promise.all(
      [1, 2].map(async () => migrate(await connect('market_owner'), await connect('market_app'))),
    );
    expect(both.flat().toSorted()).to.deep.equal(all.toSorted());
    expect(await ranIn(open[0]!)).to.deep.equal(all);
  });

  it('continues after a killed migrator, from the last complete migration', async () => {
    const child = startProgram();
    const ended = once(child, 'exit'); // It may end before it is killed.
    const owner = await connect('market_owner');
    const application = await connect('market_app');
    const started = () => owner.query(`select to_regclass('migrations') is not null as exists`);
    await eventually(started, ([{ exists }]) => exists === true);
    child.kill('SIGKILL');
    await ended;

    const rest = await migrate(owner, application);
    expect(await ranIn(owner)).to.deep.equal(all);
    expect(all.slice(all.length - rest.length)).to.deep.equal(rest);
    expect(await migrate(owner, application)).to.deep.equal([]);
  });

  it('waits two seconds at most for the application, and again later, until it has its locks', async () => {
    const application = await connect('market_app');
    await migrate(await connect('market_owner'), application);
    const owner = await withMigrations([
      ...migrations,
      migrationOf('9999_next.sql', () => NEXT_SQL),
    ]);

    const busy = application.createQueryRunner();
    await busy.startTransaction();
    await busy.query('lock table agent in row exclusive mode');
    const brief = { lockMs: 50, pauseMs: 1 };
    const refused = await migrate(owner, application, { ...brief, attempts: 2 }).catch(
      (error: { code: string }) => error.code,
    );
    expect(refused).to.equal('55P03');
    expect(await ranIn(owner)).to.deep.equal(all);

    const repeats: number[] = [];
    const onRepeat = (attempt: number) => {
      repeats.push(attempt);
      if (attempt === 3) void busy.rollbackTransaction();
    };
    const patient = { pauseMs: 1, onRepeat, lockMs: 100 };
    expect(await migrate(owner, application, patient)).to.deep.equal(['next0000000009999']);
    expect(repeats.slice(0, 3)).to.deep.equal([1, 2, 3]);
    await busy.release();
  });

  it('lets the application work between two migrations, also with a table of the first', async () => {
    const application = await connect('market_app');
    await migrate(await connect('market_owner'), application);
    const owner = await withMigrations([
      ...migrations,
      migrationOf('9998_noted.sql', () => NOTED_SQL),
      migrationOf(
        '9999_next.sql',
        () => `${NEXT_SQL};
        drop trigger notes on asset_price`,
      ),
    ]);
    const busy = application.createQueryRunner();
    await busy.startTransaction();
    await busy.query('lock table agent in row exclusive mode');
    const migrating = migrate(owner, application, { lockMs: 50, pauseMs: 1, attempts: 100_000 });
    const isThere = () => application.query(`select to_regclass('noted') is not null as made`);
    await eventually(isThere, ([{ made }]) => made === true);
    await application.query(`insert into asset_price (asset, price, source, at)
                             values ('NOTED', 1, 'test', now())`);
    await busy.rollbackTransaction();
    await busy.release();
    expect(await migrating).to.deep.equal(['noted0000000009998', 'next0000000009999']);
    expect(await application.query('select count(*)::int as rows from noted')).to.deep.equal([
      { rows: 1 },
    ]);
    const granted = await owner.query('select count(*)::int as rules from pg_default_acl');
    expect(granted, 'nothing is left').to.deep.equal([{ rules: 0 }]);
  });

  it('is tried again where it and the application waited for each other', async () => {
    const before = await connect('market_owner');
    await migrate(before, await connect('market_app'));
    await before.query('create sequence tries');
    // A sequence counts also what is undone.
    const deadlock = `do $$ begin
      if nextval('tries') < 3 then
        raise exception 'deadlock detected' using errcode = 'deadlock_detected';
      end if;
    end $$; ${NEXT_SQL}`;
    const next = migrationOf('9999_next.sql', () => deadlock);
    const owner = await withMigrations([...migrations, next]);
    const repeats: number[] = [];
    const wait = { pauseMs: 1, onRepeat: (attempt: number) => void repeats.push(attempt) };
    const ran = await migrate(owner, await connect('market_app'), wait);
    expect([ran, repeats]).to.deep.equal([['next0000000009999'], [1, 2]]);
  });

  it('holds up the application for two seconds at most', async () => {
    const owner = await withMigrations([
      ...migrations,
      migrationOf('9999_next.sql', () => NEXT_SQL),
    ]);
    await migrate(owner, await connect('market_app'));
    expect(await owner.query('select waits from next')).to.deep.equal([{ waits: '2s' }]);
  });

  describe('a migration without a transaction', () => {
    const indexes = (sql: string) => [
      ...migrations,
      migrationOf('9999_indexes.sql', () => `-- no transaction\n${sql}`),
    ];
    const CONCURRENTLY = `
      drop index concurrently if exists agent_status;
      create index concurrently agent_status on agent (status);`;

    it('builds an index while the application writes to the table', async () => {
      const application = await connect('market_app');
      await migrate(await connect('market_owner'), application);
      const busy = application.createQueryRunner();
      await busy.startTransaction();
      await busy.query(`insert into agent (username, email, password_hash, root_id, lineage, id)
        values ('ada', 'ada@example.com', 'x', 1, '{1}', 1)`);
      const migrated = migrate(await withMigrations(indexes(CONCURRENTLY)), application);
      // It waits for transactions that write, and blocks none.
      await busy.query(`update agent set status = 'suspended' where id = 1`);
      await busy.commitTransaction();
      await busy.release();
      expect(await migrated).to.deep.equal(['indexes0000000009999']);
      const [{ valid }] = await open[0]!.query(
        `select indisvalid as valid from pg_index where indexrelid = 'agent_status'::regclass`,
      );
      expect(valid).to.equal(true);
    });

    it('runs once more after it failed halfway', async () => {
      const application = await connect('market_app');
      const failing = await withMigrations(indexes(`${CONCURRENTLY}\nselect 1 / 0;`));
      const code = await migrate(failing, application).catch((error) => error.code);
      expect(code).to.equal('22012');
      expect(await ranIn(failing)).to.deep.equal(all);
      const mended = await withMigrations(indexes(CONCURRENTLY));
      expect(await migrate(mended, application)).to.deep.equal(['indexes0000000009999']);
    });
  });

  describe('a database of another version', () => {
    it('is refused and stays unchanged', async () => {
      const [owner, application] = [await connect('market_owner'), await connect('market_app')];
      await migrate(owner, application);
      await owner.query(
        `insert into migrations (timestamp, name) values (6, 'refund_kind0000000000006')`,
      );
      const refused = await migrate(owner, application).catch((error) => error);
      expect(refused).to.be.instanceOf(ForeignMigrations);
      expect(refused.message).to.contain('refund_kind0000000000006');
    });

    it('is refused by the program in one line that says what to do', async () => {
      const owner = await connect('market_owner');
      await owner.query('create table migrations (id serial, timestamp bigint, name varchar)');
      await owner.query(
        `insert into migrations (timestamp, name) values (6, 'refund_kind0000000000006')`,
      );
      const [code, written] = await endOfProgram();
      expect(code).to.equal(1);
      expect(written).to.equal(
        'The database has run migrations that this version does not have: ' +
          'refund_kind0000000000006; run the version that made it, or begin with an empty ' +
          'database: for npm start move the folder DATA_DIR (.data) away, else set DATABASE_URL ' +
          'and MIGRATION_DATABASE_URL to a new one.\n',
      );
    });
  });
});
