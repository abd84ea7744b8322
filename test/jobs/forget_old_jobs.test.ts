import { expect } from 'chai';

import { forgetOldJobs, JOBS_MAX } from '../../shared/jobs/forget_old_jobs.ts';
import { audit } from '../../shared/kernel/audit.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { buy, meet, runTimer } from '../orders/trade.ts';

interface Past {
  readonly agent?: { id: number };
  readonly key?: string;
  readonly cause?: string;
  /** How many hours ago it was asked for, and how many it took; absent: it is not done yet. */
  readonly began: number;
  readonly took?: number;
}

describe('forget_old_jobs', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
    await timerIsOut();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  /** A job of the past, of no operation that anybody performs. */
  async function past({ agent = { id: 0 }, key, cause, began, took }: Past): Promise<string> {
    const [{ id }] = await platform.query(
      `insert into job (id, operation, agent_id, key, cause, input, input_hash, request_id, run_at,
                        created_at, status, http_status, answer, finished_at)
       select uuidv7(-began), 'of_the_past', $1, $2, $3, '{}', '', 'req_past', 'infinity',
              now() - began, case when took is null then 'pending' else 'complete' end,
              case when took is not null then 200 end,
              case when took is not null then '{}'::json end, now() - began + took
         from (select make_interval(mins => $4) as began, make_interval(mins => $5) as took) past
       returning id`,
      [agent.id, key, cause, began * 60, took === undefined ? null : took * 60],
    );
    return id;
  }

  /** None of the timer's own comes between: this one's turn is over and the next one's is taken. */
  async function timerIsOut(): Promise<void> {
    const { name, everyMs } = forgetOldJobs;
    await eventually(
      () => platform.query(`select from job where operation = $1 and status = 'pending'`, [name]),
      (jobs: object[]) => jobs.length === 0,
    );
    const next = new Date((Math.floor(Date.now() / everyMs!) + 1) * everyMs!).toISOString();
    await past({ cause: `${name}:${next}`, began: 1, took: 0 });
  }

  const isThere = async (id: string) =>
    (await platform.query('select from job where id = $1', [id])).length === 1;

  it('forgets what ended 72 hours ago, and nothing else', async () => {
    const gone = [
      await past({ began: 73, took: 0.5 }),
      await past({ began: 2_000, took: 1_900 }),
      await past({ agent: await platform.agent(), key: 'k', began: 72.1, took: 0 }),
    ];
    const kept = [
      await past({ began: 71.9, took: 0 }),
      await past({ began: 200, took: 129 }),
      await past({ began: 200 }),
    ];
    await runTimer(platform, 'forget_old_jobs');
    expect(await Promise.all(gone.map(isThere))).to.deep.equal([false, false, false]);
    expect(await Promise.all(kept.map(isThere))).to.deep.equal([true, true, true]);
  });

  it('keeps the parts of what still goes on', async () => {
    const [whole, other] = [await past({ began: 100 }), await past({ began: 100, took: 1 })];
    const part = await past({ began: 99, took: 1, cause: `${whole}/check_emails/0` });
    const rest = await past({ began: 99, took: 1, cause: `${other}/check_emails/0` });
    await runTimer(platform, 'forget_old_jobs');
    expect(await Promise.all([whole, part].map(isThere))).to.deep.equal([true, true]);
    expect(await Promise.all([other, rest].map(isThere))).to.deep.equal([false, false]);
  });

  it('sets a key free for another call', async () => {
    const { buyer, product } = await meet(platform, { stock_kind: 'unlimited', content: 'It.' });
    const again = () =>
      platform.request('POST /api/v1/orders', {
        key: buyer.key,
        headers: { 'idempotency-key': 'of-last-week' },
        body: { product_id: product.id },
      });
    const id = await past({ agent: buyer, key: 'of-last-week', began: 168, took: 0 });
    expect((await again()).body).to.include({ error: 'idempotency_conflict' });
    await runTimer(platform, 'forget_old_jobs');
    expect((await platform.request(`GET /api/v1/jobs/${id}`, { key: buyer.key })).status).to.equal(
      404,
    );
    expect((await again()).status).to.equal(200);
    expect(await platform.balance(buyer)).to.equal(4.4);
  });

  it('leaves what a call did as it was', async () => {
    const { buyer, product } = await meet(platform);
    const orderId = await buy(platform, buyer, product);
    const [{ job_id }] = await platform.query('select job_id from orders where id = $1', [orderId]);
    await platform.query('delete from job where id = $1', [job_id]);
    expect(await audit(platform.context.database)).to.deep.equal([]);
    const vault = await platform.request(`GET /vault/${orderId}`, { key: buyer.key });
    expect(vault.status).to.equal(200);
  });

  it('goes on until nothing old is left', async () => {
    await platform.query(
      `insert into job (id, operation, agent_id, input, input_hash, request_id, status, http_status,
                        answer, finished_at)
       select uuidv7(interval '-100 hours'), 'of_the_past', 0, '{}', '', 'req_many', 'complete',
              200, '{}', now() - interval '99 hours' from generate_series(1, $1)`,
      [2 * JOBS_MAX + 1],
    );
    await runTimer(platform, 'forget_old_jobs');
    expect(await platform.query(`select from job where request_id = 'req_many'`)).to.deep.equal([]);
  });
});
