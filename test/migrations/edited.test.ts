// test:all: databases are migrated by several versions.
import { expect } from 'chai';

import { migrationOf, migrations } from '../../migrations/files.ts';
import { ChangedMigrations } from '../../migrations/hashes.ts';
import { migrate } from '../../migrations/migrate.ts';
import { scratchDatabase } from './scratch_database.ts';

describe('a migration that was edited after it had run', function () {
  this.timeout(60_000);

  const { connect, withMigrations, endOfProgram } = scratchDatabase();
  const next = (sql: string) => [...migrations, migrationOf('9999_next.sql', () => sql)];
  const SQL = 'create table edited (id int);';

  for (const [kind, first] of Object.entries({
    'in a transaction': '',
    'without one': '-- no transaction\n',
  })) {
    it(`is refused before anything runs, ${kind}, for a space too`, async () => {
      const application = await connect('market_app');
      const sql = first + SQL;
      await migrate(await withMigrations(next(sql)), application);
      const edited = [
        ...next(`${sql} `),
        migrationOf('99991_later.sql', () => 'create table later (id int)'),
      ];
      const owner = await withMigrations(edited);
      const refused = await migrate(owner, application).catch((error) => error);
      expect(refused).to.be.instanceOf(ChangedMigrations);
      expect(refused.message).to.contain('migrations/9999_next.sql').and.not.contain('_later');
      const [{ made }] = await owner.query(`select to_regclass('later') is not null as made`);
      expect(made).to.equal(false);

      const restored = await withMigrations(next(sql));
      expect(await migrate(restored, application)).to.deep.equal([]);
    });
  }

  it('may differ from the one that failed', async () => {
    const application = await connect('market_app');
    for (const first of ['', '-- no transaction\n']) {
      const file = first ? '9998_outside.sql' : '9999_inside.sql';
      const withFile = (sql: string) =>
        withMigrations([...migrations, migrationOf(file, () => first + sql)]);
      expect(
        await migrate(await withFile('select 1 / 0;'), application).catch(({ code }) => code),
      ).to.equal('22012');
      const mended = await withFile('select 1;');
      expect(await migrate(mended, application)).to.have.length(1);
      expect(await migrate(mended, application)).to.deep.equal([]);
      await mended.query('delete from migrations where timestamp > 9000');
    }
  });

  it('is found in a database that kept no hashes, from its next migration on', async () => {
    const application = await connect('market_app');
    const owner = await withMigrations(next(SQL));
    await migrate(owner, application);
    await owner.query('drop table migration_hash');
    expect(await migrate(await withMigrations(next(`${SQL}\n`)), application)).to.deep.equal([]);
    const refused = await migrate(owner, application).catch((error) => error);
    expect(refused).to.be.instanceOf(ChangedMigrations);
  });

  it('is refused by the program in one sentence', async () => {
    const owner = await connect('market_owner');
    await migrate(owner, await connect('market_app'));
    await owner.query(`update migration_hash set hash = '' where name like 'proxies0%'`);
    expect(await endOfProgram()).to.deep.equal([
      1,
      'This database has run another version of migrations/0007_proxies.sql: a migration that ' +
        'has run is never edited, so restore the file as it was released and write the change ' +
        'as a new migration.\n',
    ]);
  });
});
