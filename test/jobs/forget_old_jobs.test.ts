import { expect } from 'chai';

import { forgetOldJobs, JOBS_MAX } from '../../shared/domains/jobs/forget_old_jobs.ts';
import { audit } from '../../shared/composition/audit.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { buy, meet, runTimer } from '../orders/trade.ts';

interface PastJob {
  readonly agent?: { id: number };
  readonly key?: string;
  readonly cause?: string;
  /** How many hours ago it was created, and how many it took; absent: it is still pending. */
  readonly age: number;
  readonly duration?: number;
}

describe('forget_old_jobs', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
    await preventTimer();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  /** A job of the past, of an operation that does not exist. */
  async function past({ agent = { id: 0 }, key, cause, age, duration }: PastJob): Promise<string> {
    const [{ id }] = await platform.query(
      `insert into job (id, operation, agent_id, root_id, key, cause, input, input_hash, request_id,
                        run_at, created_at, status, http_status, answer, finished_at)
       select uuidv7(-age), 'of_the_past', $1, $1, $2, $3, '{}', '', 'req_past', 'infinity',
              now() - age, case when duration is null then 'pending' else 'complete' end,
              case when duration is not null then 200 end,
              case when duration is not null then '{}'::json end, now() - age + duration
         from (select make_interval(mins => $4) as age, make_interval(mins => $5) as duration) past
       returning id`,
      [agent.id, key, cause, age * 60, duration === undefined ? null : duration * 60],
    );
    return id;
  }

  /**
   * The timer starts no job meanwhile: its current job is done, and the next one already exists.
   */
  async function preventTimer(): Promise<void> {
    const { name, everyMs } = forgetOldJobs;
    await eventually(
      () => platform.query(`select from job where operation = $1 and status = 'pending'`, [name]),
      (jobs: object[]) => jobs.length === 0,
    );
    const next = new Date((Math.floor(Date.now() / everyMs!) + 1) * everyMs!).toISOString();
    await past({ cause: `${name}:${next}`, age: 1, duration: 0 });
  }

  const exists = async (id: string) =>
    (await platform.query('select from job where id = $1', [id])).length === 1;

  it('deletes jobs that ended 72 hours ago, and no others', async () => {
    const gone = [
      await past({ age: 73, duration: 0.5 }),
      await past({ age: 2_000, duration: 1_900 }),
      await past({ agent: await platform.agent(), key: 'k', age: 72.1, duration: 0 }),
    ];
    const kept = [
      await past({ age: 71.9, duration: 0 }),
      await past({ age: 200, duration: 129 }),
      await past({ age: 200 }),
    ];
    await runTimer(platform, 'forget_old_jobs');
    expect(await Promise.all(gone.map(exists))).to.deep.equal([false, false, false]);
    expect(await Promise.all(kept.map(exists))).to.deep.equal([true, true, true]);
  });

  it('keeps the child jobs of a pending job', async () => {
    const [parent, other] = [await past({ age: 100 }), await past({ age: 100, duration: 1 })];
    const child = await past({ age: 99, duration: 1, cause: `${parent}/pieces/0` });
    const orphan = await past({ age: 99, duration: 1, cause: `${other}/pieces/0` });
    await runTimer(platform, 'forget_old_jobs');
    expect(await Promise.all([parent, child].map(exists))).to.deep.equal([true, true]);
    expect(await Promise.all([other, orphan].map(exists))).to.deep.equal([false, false]);
  });

  it('frees a key for another call', async () => {
    const { buyer, product } = await meet(platform, { stock_kind: 'unlimited', content: 'It.' });
    const order = () =>
      platform.request('POST /api/v1/orders', {
        key: buyer.key,
        headers: { 'idempotency-key': 'of-last-week' },
        body: { product_id: product.id },
      });
    const id = await past({ agent: buyer, key: 'of-last-week', age: 168, duration: 0 });
    expect((await order()).body).to.include({ error: 'idempotency_conflict' });
    await runTimer(platform, 'forget_old_jobs');
    expect((await platform.request(`GET /api/v1/jobs/${id}`, { key: buyer.key })).status).to.equal(
      404,
    );
    expect((await order()).status).to.equal(200);
    expect(await platform.balance(buyer)).to.equal(4.4);
  });

  it('does not change the effects of a call', async () => {
    const { buyer, product } = await meet(platform);
    const orderId = await buy(platform, buyer, product);
    const [{ job_id }] = await platform.query('select job_id from orders where id = $1', [orderId]);
    await platform.query('delete from job where id = $1', [job_id]);
    expect(await audit(platform.context.database)).to.deep.equal([]);
    const vault = await platform.request(`GET /vault/${orderId}`, { key: buyer.key });
    expect(vault.status).to.equal(200);
  });

  it('continues until no old job is left', async () => {
    await platform.query(
      `insert into job (id, operation, agent_id, root_id, input, input_hash, request_id, status,
                        http_status, answer, finished_at)
       select uuidv7(interval '-100 hours'), 'of_the_past', 0, 0, '{}', '', 'req_many', 'complete',
              200, '{}', now() - interval '99 hours' from generate_series(1, $1)`,
      [2 * JOBS_MAX + 1],
    );
    await runTimer(platform, 'forget_old_jobs');
    expect(await platform.query(`select from job where request_id = 'req_many'`)).to.deep.equal([]);
  });
});
