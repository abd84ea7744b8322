// test:all: workers are killed at each step of a payment or a charge.
import { expect } from 'chai';
import pg from 'pg';

import { eventually, type TestPlatform } from '../harness.ts';
import { child, endChildren, openPlatform } from './children.ts';
import {
  buy,
  buyUntilDone,
  clearRedis,
  enqueueBatch,
  openMarket,
  expectConsistent,
  type Market,
} from './market.ts';

const CALLS = 12;

describe('a batch of purchases', function () {
  this.timeout(120_000);

  let platform: TestPlatform;
  let market: Market;
  let superuser: pg.Client;
  beforeEach(async () => {
    platform = await openPlatform({ workers: false });
    market = await openMarket(platform);
    const url = new URL(platform.postgres);
    url.pathname = `/${platform.name}`;
    superuser = new pg.Client({ connectionString: url.href });
    await superuser.connect();
  });
  afterEach(async () => {
    await endChildren();
    await superuser.end();
    await platform.close();
  });

  async function recordAndEnqueue(calls: number) {
    const keys: string[] = [];
    const ids: string[] = [];
    for (let n = 0; n < calls; n += 1) {
      const pending = await buy(platform, market, { wait: 0 });
      keys.push(pending!.key);
      ids.push(pending!.body.job_id);
    }
    await clearRedis(platform);
    await enqueueBatch(platform, ids);
    return keys;
  }

  async function expectAllBought(keys: readonly string[]) {
    const calls = keys.map((key) => buyUntilDone(platform, market, { key }));
    for (const reply of await Promise.all(calls)) {
      expect(reply?.status).to.equal(200);
      expect((await buy(platform, market, { key: reply!.key }))?.text).to.equal(reply!.text);
    }
    expect(await platform.balance(market.buyer)).to.be.closeTo(100.5 - keys.length * 0.011, 1e-9);
    await expectConsistent(platform, keys.length);
  }

  for (const [point, when] of [
    ['F0', 'before its statement'],
    ['F2', 'after COMMIT'],
  ] as const) {
    it(`is performed once though its worker is killed ${when} (${point})`, async () => {
      const keys = await recordAndEnqueue(CALLS);
      const armed = await child(platform, 'test/faults/worker.ts', { CRASH_AT: point });
      expect(await armed.ended).to.equal('SIGKILL');
      expect((await platform.request('GET /api/v1/wallet', market.buyer)).status).to.equal(200);
      await platform.resumeWorkers();
      await expectAllBought(keys);
    });
  }

  for (const [calls, what] of [
    [1, 'a purchase'],
    [CALLS, 'a batch'],
  ] as const) {
    it(`is performed once though PostgreSQL ends the session in the middle of ${what} (W2)`, async () => {
      const keys = await recordAndEnqueue(calls);
      await superuser.query('begin');
      await superuser.query('select from ledger.treasury for update');
      await platform.resumeWorkers();
      const [{ ended }] = await blocked('pg_terminate_backend(pid) as ended');
      expect(ended).to.equal(true);
      await superuser.query('commit');
      await expectAllBought(keys);
    });

    it(`is performed once though its worker is killed in the middle of ${what}`, async () => {
      const keys = await recordAndEnqueue(calls);
      await superuser.query('begin');
      await superuser.query('select from ledger.treasury for update');
      const worker = await child(platform, 'test/faults/worker.ts');
      const [{ pid }] = await blocked('pid');
      worker.kill('SIGKILL');
      expect(await worker.ended).to.equal('SIGKILL');
      // Its session does not notice that, and continues.
      await superuser.query('commit');
      await eventually(
        () => platform.query('select from pg_stat_activity where pid = $1', [pid]),
        (sessions) => sessions.length === 0,
      );
      await platform.resumeWorkers();
      await expectAllBought(keys);
    });
  }

  /** The sessions that wait for our lock. In our own transaction the view would not change. */
  const blocked = (columns: string): Promise<[{ ended?: boolean; pid?: number }]> =>
    eventually(
      () =>
        platform.query(
          `select ${columns} from pg_stat_activity
            where datname = $1 and wait_event_type = 'Lock'`,
          [platform.name],
        ),
      (sessions) => sessions.length > 0,
    );
});
