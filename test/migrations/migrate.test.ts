import { randomUUID } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { DataSource } from 'typeorm';

import { migrations } from '../../migrations/files.ts';
import { migrate } from '../../migrations/migrate.ts';
import { newMasterKey } from '../../shared/platform/config/setting_values.ts';
import { databaseOf } from '../../shared/platform/database.ts';
import { admin, urlAs } from '../databases.ts';
import { eventually } from '../harness.ts';

const POSTGRES = process.env.TEST_POSTGRES_URL!;

describe('migrate', function () {
  this.timeout(60_000);

  let name: string;
  const open: DataSource[] = [];
  const connect = async (role: 'market_owner' | 'market_app') => {
    const database = await databaseOf(urlAs(POSTGRES, name, role), 3).initialize();
    open.push(database);
    return database;
  };
  beforeEach(async () => {
    name = `migrated_${randomUUID().slice(0, 8)}`;
    await admin(POSTGRES, `create database ${name} owner market_owner`);
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((database) => database.destroy()));
    await admin(POSTGRES, `drop database ${name} with (force)`);
  });

  const ranIn = async (owner: DataSource): Promise<string[]> =>
    (await owner.query('select name from migrations order by id')).map(
      (row: { name: string }) => row.name,
    );
  const all = migrations.map((Migration) => new Migration().name);

  it('runs each migration once when two processes migrate at the same moment', async () => {
    const both = await Promise.all(
      [1, 2].map(async () => migrate(await connect('market_owner'), await connect('market_app'))),
    );
    expect(both.flat().toSorted()).to.deep.equal(all.toSorted());
    expect(await ranIn(open[0]!)).to.deep.equal(all);
  });

  it('goes on after a migrator that was killed, from the last whole migration', async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'migrations/run.ts'], {
      env: {
        ...process.env,
        DATABASE_URL: urlAs(POSTGRES, name, 'market_app'),
        MIGRATION_DATABASE_URL: urlAs(POSTGRES, name, 'market_owner'),
        REDIS_URL: 'redis://127.0.0.1:1',
        OPERATOR_TOKEN: 'operator-token-of-the-tests',
        MASTER_KEYS: newMasterKey('test'),
        LOG_LEVEL: 'silent',
      },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit'); // It may come to its end before it is killed.
    const owner = await connect('market_owner');
    const application = await connect('market_app');
    const started = () => owner.query(`select to_regclass('migrations') is not null as there`);
    await eventually(started, ([{ there }]) => there === true);
    child.kill('SIGKILL');
    await ended;

    const rest = await migrate(owner, application);
    expect(await ranIn(owner)).to.deep.equal(all);
    expect(all.slice(all.length - rest.length)).to.deep.equal(rest);
    expect(await migrate(owner, application)).to.deep.equal([]);
  });

  it('waits two seconds for the application and no longer, and leaves nothing half done', async () => {
    const owner = await connect('market_owner');
    const application = await connect('market_app');
    // The next one changes the tables of orders and products.
    const done = all.findIndex((name) => name.startsWith('order_of_a_product'));
    const before = new DataSource({
      ...owner.options,
      migrations: migrations.slice(0, done),
    } as never);
    open.push(await before.initialize());
    await migrate(before, application);

    const busy = application.createQueryRunner();
    await busy.startTransaction();
    await busy.query('lock table orders, product in share update exclusive mode');
    const from = Date.now();
    const refused = await migrate(owner, application).catch(
      (error: { code: string }) => error.code,
    );
    expect(refused).to.equal('55P03');
    expect(Date.now() - from).to.be.below(10_000);
    expect(await ranIn(owner)).to.deep.equal(all.slice(0, done));

    await busy.rollbackTransaction();
    await busy.release();
    expect(await migrate(owner, application)).to.deep.equal(all.slice(done));
  });
});
