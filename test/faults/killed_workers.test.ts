// test:all: workers are killed at each step of a payment or a charge.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';

import { eventually, type TestPlatform } from '../harness.ts';
import { child, endChildren, openPlatform, type Child } from './children.ts';
import { buy, buyUntilDone, clearRedis, loseBatch, openMarket } from './market.ts';
import { expectConsistent, recordedJobId, type Market } from './market.ts';

const WORKER = 'test/faults/worker.ts';

describe('a worker that is killed', function () {
  this.timeout(120_000);

  let platform: TestPlatform;
  let market: Market;
  beforeEach(async () => {
    platform = await openPlatform({ workers: false });
    market = await openMarket(platform);
  });
  afterEach(async () => {
    await endChildren();
    await platform.close();
  });

  const bought = 100 - 0.011 + 0.5;

  async function expectOneAnswer(call: ReturnType<typeof buyUntilDone>, key: string) {
    const first = await call;
    expect(first?.status).to.equal(200);
    const replayed = await buy(platform, market, { key });
    expect(replayed?.text).to.equal(first?.text);
    expect(replayed?.headers.get('idempotent-replayed')).to.equal('true');
    expect(await platform.balance(market.buyer)).to.be.closeTo(bought, 1e-9);
    await expectConsistent(platform, 1);
  }

  /** Makes every job due, until the worker is dead or no job is pending. */
  const untilKilled = ({ process }: Child) =>
    eventually(
      () => platform.query(MAKE_DUE),
      ([{ pending }]) => process.signalCode === 'SIGKILL' || pending === 0,
    );

  for (const [point, when] of [
    ['W0', 'before its transaction'],
    ['W1', 'with the job locked'],
    ['W3', 'after its handler'],
    ['W4', 'before COMMIT'],
  ] as const) {
    it(`${when}, twice, costs the caller only time (${point})`, async () => {
      const key: string = randomUUID();
      const call = buyUntilDone(platform, market, { key });
      const env = { CRASH_AT: point, CRASH_AT_JOB: await recordedJobId(platform) };
      await loseBatch(platform); // A job that the dispatcher pushes runs alone, step by step.
      for (let killed = 0; killed < 2; killed += 1) {
        const armed = await child(platform, WORKER, env);
        await untilKilled(armed);
        expect(armed.process.signalCode).to.equal('SIGKILL');
      }
      expect((await platform.request('GET /api/v1/wallet', market.buyer)).status).to.equal(200);
      await platform.resumeWorkers();
      await expectOneAnswer(call, key);
    });
  }

  for (const [point, when] of [
    ['W5', 'after COMMIT, before it published the answer'],
    ['W6', 'after it published the answer'],
  ] as const) {
    it(`${when}, has performed the job once (${point})`, async () => {
      const key: string = randomUUID();
      const call = buyUntilDone(platform, market, { key });
      const id = await recordedJobId(platform);
      // A dispatcher might take the job for lost and push it, and the job would be done before.
      const env = { CRASH_AT: point, CRASH_AT_JOB: id, WITHOUT_DISPATCHER: 'yes' };
      const armed = await child(platform, WORKER, env);
      expect(await armed.ended).to.equal('SIGKILL');
      await platform.resumeWorkers();
      await expectOneAnswer(call, key);
    });
  }

  it('as API, twice, between recording a call and queueing it, has the call performed once (A1)', async () => {
    const armed = await Promise.all(
      [1, 2].map(() => child(platform, 'test/faults/api.ts', { CRASH_AT: 'A1' })),
    );
    await platform.resumeWorkers();
    const key: string = randomUUID();
    for (const api of armed) expect(await buy(api, market, { key })).to.equal(undefined);
    expect(await Promise.all(armed.map(({ ended }) => ended))).to.deep.equal(KILLED_TWICE);
    await expectOneAnswer(buyUntilDone(platform, market, { key }), key);
  });

  for (const [point, when] of [
    ['D0', 'after it marked rows and before it pushed them'],
    ['D1', 'after it pushed them'],
  ] as const) {
    it(`as dispatcher, ${when}, twice, only delays them (${point})`, async () => {
      const key: string = randomUUID();
      const pending = await buy(platform, market, { key, wait: 0 });
      const job = { CRASH_AT_JOB: pending!.body.job_id as string };
      for (let killed = 0; killed < 2; killed += 1) {
        await clearRedis(platform);
        const armed = await child(platform, WORKER, {
          CRASH_AT: point,
          ...job,
          WITHOUT_JOBS: 'yes',
        });
        await untilKilled(armed);
        expect(armed.process.signalCode).to.equal('SIGKILL');
      }
      await platform.resumeWorkers();
      await expectOneAnswer(buyUntilDone(platform, market, { key }), key);
    });
  }
});

const KILLED_TWICE = ['SIGKILL', 'SIGKILL'];

/** Makes every pending job due now. Answers how many are pending. */
const MAKE_DUE = `
  with due as (
    update job set run_at = now(), push_after = now()
     where id in (select id from job where status = 'pending' for update skip locked))
  select count(*)::int as pending from job where status = 'pending'`;
