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

  async function answersAndRepeats(call: ReturnType<typeof buyUntilDone>, key: string) {
    const first = await call;
    expect(first?.status).to.equal(200);
    const again = await buy(platform, market, { key });
    expect(again?.text).to.equal(first?.text);
    expect(again?.headers.get('idempotent-replayed')).to.equal('true');
    expect(await platform.balance(market.buyer)).to.be.closeTo(bought, 1e-9);
    await expectConsistent(platform, 1);
  }

  /** Until the worker is dead, or there is nothing left to do. */
  const hurried = ({ process }: Child) =>
    eventually(
      () => platform.query(HURRY),
      ([{ left }]) => process.signalCode === 'SIGKILL' || left === 0,
    );

  for (const [point, when] of [
    ['W0', 'before its transaction'],
    ['W1', 'with the job locked'],
    ['W3', 'when the work is done'],
    ['W4', 'before COMMIT'],
  ] as const) {
    it(`${when}, twice, costs the caller nothing but time (${point})`, async () => {
      const key: string = randomUUID();
      const call = buyUntilDone(platform, market, { key });
      const env = { CRASH_AT: point, CRASH_AT_JOB: await recordedJobId(platform) };
      await loseBatch(platform); // What comes from the dispatcher is done step by step.
      for (let killed = 0; killed < 2; killed += 1) {
        const armed = await child(platform, WORKER, env);
        await hurried(armed);
        expect(armed.process.signalCode).to.equal('SIGKILL');
      }
      expect((await platform.request('GET /api/v1/wallet', market.buyer)).status).to.equal(200);
      await platform.resumeWorkers();
      await answersAndRepeats(call, key);
    });
  }

  for (const [point, when] of [
    ['W5', 'after COMMIT, before word of it'],
    ['W6', 'after word of it'],
  ] as const) {
    it(`${when}, has done the job once (${point})`, async () => {
      const key: string = randomUUID();
      const call = buyUntilDone(platform, market, { key });
      const id = await recordedJobId(platform);
      // What a dispatcher took for lost might be done before, and nobody would be told.
      const env = { CRASH_AT: point, CRASH_AT_JOB: id, WITHOUT_DISPATCHER: 'yes' };
      const armed = await child(platform, WORKER, env);
      expect(await armed.ended).to.equal('SIGKILL');
      await platform.resumeWorkers();
      await answersAndRepeats(call, key);
    });
  }

  it('as API, having recorded a call it has not handed on, twice, has the call done once (A1)', async () => {
    const armed = await Promise.all(
      [1, 2].map(() => child(platform, 'test/faults/api.ts', { CRASH_AT: 'A1' })),
    );
    await platform.resumeWorkers();
    const key: string = randomUUID();
    for (const api of armed) expect(await buy(api, market, { key })).to.equal(undefined);
    expect(await Promise.all(armed.map(({ ended }) => ended))).to.deep.equal(KILLED_TWICE);
    await answersAndRepeats(buyUntilDone(platform, market, { key }), key);
  });

  for (const [point, when] of [
    ['D0', 'having marked rows it has not pushed'],
    ['D1', 'having pushed them'],
  ] as const) {
    it(`as dispatcher, ${when}, twice, delays them and no more (${point})`, async () => {
      const key: string = randomUUID();
      await buy(platform, market, { key, wait: 0 });
      await clearRedis(platform);
      const armed = [1, 2].map(() => child(platform, WORKER, { CRASH_AT: point }));
      for (const worker of await Promise.all(armed)) await hurried(worker);
      await platform.resumeWorkers();
      await answersAndRepeats(buyUntilDone(platform, market, { key }), key);
    });
  }
});

const KILLED_TWICE = ['SIGKILL', 'SIGKILL'];

/** The dispatcher's clock moves on. Answers how many are still to be done. */
const HURRY = `
  with hurried as (
    update job set run_at = now(), push_after = now()
     where id in (select id from job where status = 'pending' for update skip locked))
  select count(*)::int as left from job where status = 'pending'`;
