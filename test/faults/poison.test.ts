// test:all: processes are killed by a job again and again.
import { expect } from 'chai';

import { eventually, type TestPlatform } from '../harness.ts';
import { child, endChildren, openPlatform } from './children.ts';
import { buy, enqueueBatch, expectConsistent, loseQueued, openMarket } from './market.ts';

const NORMAL = 50;

describe('a job that kills its worker every time', function () {
  this.timeout(120_000);

  let platform: TestPlatform;
  before(async () => (platform = await openPlatform({ workers: false })));
  after(async () => {
    await endChildren();
    await platform.close();
  });

  it('fails as internal_error, frees its key and harms no other job', async () => {
    const [market, others] = [await openMarket(platform), await openMarket(platform)];
    const poison = await buy(platform, market, { wait: 0 });
    const calls = Array.from({ length: NORMAL }, () => buy(platform, others, { wait: 0 }));
    const ids = (await Promise.all(calls)).map((reply) => reply!.body.job_id as string);
    const { job_id: id, poll } = poison!.body;
    await loseQueued(platform);
    // The poison job is in the middle of the others.
    const all = ids.toSpliced(NORMAL / 2, 0, id);
    await enqueueBatch(platform, all);

    // It runs in a batch once and alone seven times; a test needs only the first and the last.
    let killed = 0;
    const env = { CRASH_AT: 'W1', CRASH_AT_JOB: id };
    const batch = await child(platform, 'test/faults/worker.ts', { ...env, CRASH_AT: 'F0' });
    expect(await batch.ended).to.equal('SIGKILL');
    for (;;) {
      const worker = await child(platform, 'test/faults/worker.ts', env);
      await eventually(
        async () => (await platform.query(MAKE_DUE, [id]))[0][0] ?? (await rowOf(id)),
        (row) => worker.process.signalCode !== null || row.status !== 'pending',
      );
      // The last read row may be older than the start of the worker.
      const { status, attempts } = await rowOf(id);
      if (status !== 'pending') break;
      killed += 1;
      expect(attempts).to.equal(killed === 1 ? 1 : 7);
      await platform.query('update job set attempts = 6 where id = $1 and attempts = 1', [id]);
    }
    expect(killed).to.equal(2);

    expect(await countOf(ids)).to.equal(NORMAL);
    const polled = await platform.request(`GET ${poll}`, { key: market.buyer.key });
    expect(polled.body).to.include({ status: 'failed', http_status: 500 });
    expect(polled.body.error).to.include({ error: 'internal_error', retryable: true });
    expect(await platform.balance(market.buyer)).to.equal(100.5);

    await endChildren();
    await platform.resumeWorkers();
    const repeated = await buy(platform, market, { key: poison!.key });
    expect(repeated?.status).to.equal(200);
    await expectConsistent(platform, NORMAL + 1);
  });

  const rowOf = async (id: string) =>
    (await platform.query('select status, attempts from job where id = $1', [id]))[0];

  const countOf = async (ids: string[]) =>
    eventually(
      async () =>
        (
          await platform.query(
            `select count(*)::int as n from job where id = any ($1) and status = 'complete'`,
            [ids],
          )
        )[0].n,
      (n) => n === NORMAL,
    );
});

/** Makes this job due now, unless a worker holds it. */
const MAKE_DUE = `
  update job set run_at = least(run_at, now()), push_after = least(push_after, now())
   where id = (select id from job where id = $1 and status = 'pending' for update skip locked)
  returning status, attempts`;
