import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { DataSource, QueryRunner } from 'typeorm';

import { applyFunctions } from '../../migrations/functions.ts';
import { databaseOf } from '../../shared/platform/database.ts';
import { admin, urlAs } from '../databases.ts';

const POSTGRES = process.env.TEST_POSTGRES_URL!;

describe('the functions of the database', () => {
  const database = `functions_${randomUUID().slice(0, 8)}`;
  let owner: DataSource;
  let runner: QueryRunner;

  before(async () => {
    await admin(POSTGRES, `create database ${database} owner market_owner`);
    owner = await databaseOf(urlAs(POSTGRES, database, 'market_owner'), 1).initialize();
  });
  after(async () => {
    await owner.destroy();
    await admin(POSTGRES, `drop database ${database} with (force)`);
  });
  beforeEach(async () => {
    runner = owner.createQueryRunner();
    await runner.startTransaction();
    await runner.query('create schema ledger');
  });
  afterEach(async () => {
    await runner.rollbackTransaction();
    await runner.release();
  });

  const apply = (...files: [name: string, head: string, body: string][]) =>
    applyFunctions(
      runner,
      files.map(([name, head, body]) => ({
        schema: 'public',
        name,
        sql: `create or replace function ${name}${head} language sql as $$ ${body} $$`,
      })),
    );
  const present = async () =>
    (
      await runner.query(`select oid::regprocedure::text as signature from pg_proc
        where pronamespace in ('public'::regnamespace, 'ledger'::regnamespace) order by 1`)
    ).map(({ signature }: { signature: string }) => signature);

  it('are what the files say, however often they are applied', async () => {
    await apply(['one', '() returns int', 'select 1']);
    await apply(['one', '() returns int', 'select 11']);
    await apply(['one', '() returns int', 'select 11']);
    expect(await runner.query('select one()')).to.deep.equal([{ one: 11 }]);
    expect(await present()).to.deep.equal(['one()']);
  });

  it('are made again when their result changed', async () => {
    await apply(['one', '() returns int', 'select 1']);
    await apply(['one', '() returns text', `select 'one'`]);
    expect(await runner.query('select one()')).to.deep.equal([{ one: 'one' }]);
  });

  it('exist once when their arguments changed', async () => {
    await apply(['one', '(a int) returns int', 'select a']);
    await apply(['one', '(a bigint) returns int', 'select a::int']);
    expect(await present()).to.deep.equal(['one(bigint)']);
    await apply(['one', '(b bigint) returns int', 'select b::int']);
    expect(await present()).to.deep.equal(['one(bigint)']);
  });

  it('go when their file is gone', async () => {
    await apply(['one', '() returns int', 'select 1'], ['two', '() returns int', 'select 2']);
    await runner.query('create function ledger.three() returns int language sql as $$ select 3 $$');
    await apply(['two', '() returns int', 'select 2']);
    expect(await present()).to.deep.equal(['two()']);
  });

  it('stay when a constraint needs what would go', async () => {
    await apply(['one', '() returns int', 'select 1']);
    await runner.query('create table thing (a int check (a = one()))');
    const refused = await apply().catch((error) => error);
    expect(refused.code).to.equal('2BP01');
  });
});
