import { expect } from 'chai';

import { eventually, type House } from '../harness.ts';
import { child, endChildren, openHouse } from './children.ts';
import { buy, forget, handOn, openMarket, prove } from './market.ts';

const NORMAL = 50;

describe('a job that kills its worker every time', function () {
  this.timeout(120_000);

  let house: House;
  before(async () => (house = await openHouse({ workers: false })));
  after(async () => {
    await endChildren();
    await house.close();
  });

  it('fails as internal_error, gives its key free and harms no other job', async () => {
    const [market, others] = [await openMarket(house), await openMarket(house)];
    const poison = await buy(house, market, { wait: 0 });
    const calls = Array.from({ length: NORMAL }, () => buy(house, others, { wait: 0 }));
    const ids = (await Promise.all(calls)).map((reply) => reply!.body.job_id as string);
    const { job_id: id, poll } = poison!.body;
    await forget(house);
    // The poison sits in the middle of the others.
    const all = ids.toSpliced(NORMAL / 2, 0, id);
    await handOn(house, all);

    // It is in a batch once and alone seven times; the first and the last are enough for a test.
    let killed = 0;
    const env = { CRASH_AT: 'W1', CRASH_AT_JOB: id };
    const batch = await child(house, 'test/faults/worker.ts', { ...env, CRASH_AT: 'F0' });
    expect(await batch.ended).to.equal('SIGKILL');
    for (;;) {
      const worker = await child(house, 'test/faults/worker.ts', env);
      await eventually(
        async () => (await house.query(HURRY, [id]))[0][0] ?? (await rowOf(id)),
        (row) => worker.process.signalCode !== null || row.status !== 'pending',
      );
      // What was read last may be of before the worker began.
      const { status, attempts } = await rowOf(id);
      if (status !== 'pending') break;
      killed += 1;
      expect(attempts).to.equal(killed === 1 ? 1 : 7);
      await house.query('update job set attempts = 6 where id = $1 and attempts = 1', [id]);
    }
    expect(killed).to.equal(2);

    expect(await countOf(ids)).to.equal(NORMAL);
    const told = await house.request(`GET ${poll}`, { key: market.buyer.key });
    expect(told.body).to.include({ status: 'failed', http_status: 500 });
    expect(told.body.error).to.include({ error: 'internal_error', retryable: true });
    expect(await house.balance(market.buyer)).to.equal(100.5);

    await endChildren();
    await house.resumeWorkers();
    const repeated = await buy(house, market, { key: poison!.key });
    expect(repeated?.status).to.equal(200);
    await prove(house, NORMAL + 1);
  });

  const rowOf = async (id: string) =>
    (await house.query('select status, attempts from job where id = $1', [id]))[0];

  const countOf = async (ids: string[]) =>
    eventually(
      async () =>
        (
          await house.query(
            `select count(*)::int as n from job where id = any ($1) and status = 'complete'`,
            [ids],
          )
        )[0].n,
      (n) => n === NORMAL,
    );
});

/** The dispatcher's clock moves on for this job, unless a worker has it in hand. */
const HURRY = `
  update job set run_at = least(run_at, now()), push_after = least(push_after, now())
   where id = (select id from job where id = $1 and status = 'pending' for update skip locked)
  returning status, attempts`;
