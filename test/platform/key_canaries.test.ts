import { randomBytes } from 'node:crypto';

import { expect } from 'chai';

import { masterKeyFaultsBefore } from '../../shared/composition/master_keys/proof.ts';
import { BadSettings } from '../../shared/platform/config/environment.ts';
import { openSecrets } from '../../shared/platform/secrets.ts';
import { assertMasterKeys } from '../../shared/platform/self_checks/key_canaries.ts';
import { OPERATOR_TOKEN } from '../access/scene.ts';
import { asOwner } from '../as_owner.ts';
import { admin } from '../faults/children.ts';
import { eventually, TestPlatform } from '../harness.ts';

interface Key {
  id: string;
  key: Buffer;
}

const newKey = (id: string): Key => ({ id, key: randomBytes(32) });

describe('a process whose master keys are not those of the database', function () {
  this.timeout(60_000);

  let platform: TestPlatform;
  let own: Key;
  beforeEach(async () => {
    platform = await TestPlatform.open({ schedules: true });
    [own] = platform.config.masterKeys as [Key];
  });
  afterEach(() => platform.close());

  /** Starts a process that has these keys. */
  async function start(...keys: Key[]): Promise<string> {
    const { database } = platform.context;
    const secrets = openSecrets(keys);
    try {
      await assertMasterKeys(database, secrets, (db) => masterKeyFaultsBefore(db, secrets));
      return 'started';
    } catch (error) {
      expect(error).to.be.instanceOf(BadSettings);
      return (error as Error).message.split('\n')[0]!;
    }
  }

  const another = (id: string) =>
    `MASTER_KEYS: the key ${id} differs from the one of this name that sealed this database`;
  const lacks = (ids: string) => `MASTER_KEYS lacks ${ids}, under which this database is sealed`;
  const canaries = async () =>
    (await platform.query('select key_id from master_key_canary order by key_id')).map(
      ({ key_id }: { key_id: string }) => key_id,
    );
  /** Leaves the database like the release before. */
  const forgetCanaries = () => asOwner(platform, 'truncate master_key_canary');

  it('does not start, also where nothing is sealed yet', async () => {
    expect(await canaries()).to.deep.equal(['test']);
    expect(await start(own)).to.equal('started');
    expect(await start(newKey('test'))).to.equal(another('test'));
    expect(await start(newKey('k9'))).to.equal(lacks('test'));
    expect(await start(newKey('k9'), newKey('test'))).to.equal(another('test'));
    expect(await canaries()).to.deep.equal(['test']);
  });

  it('starts with a new key beside the one that it knows, and then wants it', async () => {
    const next = newKey('next');
    expect(await start(own, next)).to.equal('started');
    expect(await start(own)).to.equal('started'); // Nothing is under the new one yet.
    expect(await start(own, newKey('next'))).to.equal(another('next'));
    expect(await start(next, own)).to.equal('started');
    // API keys that were used since then are known by the new one alone.
    expect(await start(own)).to.equal(lacks('next'));
    expect(await start(next)).to.equal('started');
    // Back to the old one, before it has gone.
    expect(await start(own, next)).to.equal('started');
    expect(await start(own)).to.equal('started');
    expect(await canaries()).to.deep.equal(['next', 'test']);
  });

  it('is refused where two with other keys start first at one moment', async () => {
    await forgetCanaries();
    await platform.pauseWorkers();
    await asOwner(platform, 'truncate job cascade');
    const outcomes = await Promise.all([
      start(newKey('a')),
      start(newKey('a')),
      start(newKey('b')),
    ]);
    expect(outcomes.filter((outcome) => outcome === 'started')).to.have.lengthOf(1);
  });

  describe('before there were canaries', () => {
    it('is known by values that were sealed, also if most of them are damaged', async () => {
      const seller = await platform.agent();
      await platform.product(seller, { items: ['one', 'two', 'three'] });
      await platform.query(
        `update stock_secret set secret = set_byte(secret, length(secret) - 1,
                get_byte(secret, length(secret) - 1) # 1)
          where ctid <> (select min(ctid) from stock_secret)`,
      );
      await forgetCanaries();
      expect(await start(newKey('test'))).to.equal(another('test'));
      expect(await start(newKey('k9'))).to.equal(lacks('test'));
      expect(await canaries()).to.deep.equal([]);
      expect(await start(newKey('k9'), own)).to.equal('started');
      expect(await canaries()).to.deep.equal(['k9', 'test']);
    });

    it('is known by the ids of API keys, where nothing was sealed', async () => {
      await platform.agent();
      await platform.pauseWorkers();
      await asOwner(platform, 'truncate job cascade');
      await forgetCanaries();
      expect(await start(newKey('k9'))).to.equal(lacks('test'));
      expect(await start(own)).to.equal('started');
    });

    it('is known by jobs of timers, where nothing else is there', async () => {
      await eventually(
        () => platform.query(`select 1 from job where cause like operation || ':%'`),
        (found) => found.length > 0,
      );
      await forgetCanaries();
      expect(await start(newKey('test'))).to.equal(another('test'));
      expect(await start(own)).to.equal('started');
    });

    it('starts in an empty database with any key', async () => {
      await platform.pauseWorkers();
      await asOwner(platform, 'truncate job cascade');
      await forgetCanaries();
      expect(await start(newKey('any'))).to.equal('started');
    });

    it('starts where the schema is older, which readiness tells', async () => {
      await asOwner(platform, 'drop table master_key_canary');
      expect(await start(newKey('any'))).to.equal('started');
    });
  });

  it('is not ready any more where another began to seal under a key that it lacks', async () => {
    const ready = (status: number) =>
      eventually(
        () => platform.request('GET /readyz'),
        (reply) => reply.status === status && reply.body.database === 'ok',
      );
    const well = await ready(200);
    expect(well.body.self_checks).to.deep.equal({
      secrets: 'warning', // Tests have a token that is easy to guess.
      public_url: 'ok',
      money: 'ok',
      setting_names: 'ok',
      database_role: 'ok',
      mail: 'ok',
      master_keys: 'ok',
    });
    await start(newKey('next'), own);
    const { body, text } = await ready(503);
    expect(body.self_checks.master_keys).to.equal('failed');
    expect(text).not.to.contain('MASTER_KEYS');
    const overview = await platform.request('GET /api/v1/admin/overview', { key: OPERATOR_TOKEN });
    expect(overview.body.state).to.equal('attention');
    expect(overview.body.self_checks.at(-1)).to.deep.equal({
      name: 'master_keys',
      status: 'failed',
      message: lacks('next'),
    });
  });

  it('shows operators that the role of the application owns the tables', async () => {
    const shown = async () => {
      const { body } = await platform.request('GET /api/v1/admin/overview', {
        key: OPERATOR_TOKEN,
      });
      return body.self_checks.find(({ name }: { name: string }) => name === 'database_role');
    };
    expect((await shown()).status).to.equal('ok');
    await asOwner(platform, 'create table given (id int)');
    await admin(platform, 'alter table given owner to market_app');
    expect(await shown()).to.include({ status: 'warning' });
    expect((await shown()).message).to.contain('Set MIGRATION_DATABASE_URL to the owner');
    expect((await platform.request('GET /readyz')).status).to.equal(200);
  });
});
