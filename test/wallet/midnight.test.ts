import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { insertJobs, newJobId } from '../../shared/jobs/jobs.ts';
import { runBatch } from '../../workers/run_batch.ts';
import { TestPlatform } from '../harness.ts';
import { setPolicy } from '../policy.ts';

/**
 * A transaction that began before midnight UTC may get the lock of its tree after one that began
 * later. For it, that other one is of tomorrow.
 */
describe('after a spend of the next day, one that began before midnight', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open()));
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const buy = ({ key }: { key: string }, { id }: { id: number }) =>
    platform.request('POST /api/v1/orders', { key, body: { product_id: id } });

  /** A buyer whose tree has spent $1.10 of a limit of $3 tomorrow. */
  async function buyerOfTomorrow() {
    const seller = await platform.agent();
    const product = await platform.product(seller, {
      price: 1,
      stock_kind: 'unlimited',
      content: 'open',
    });
    const buyer = await platform.agent({ usd: 20 });
    await setPolicy(platform, buyer, { daily_spend_limit: 3_000_000 });
    const { body } = await buy(buyer, product);
    await platform.query('update spend set day = day + 1 where agent_id = $1', [buyer.id]);
    await platform.query('update orders set spent_on = spent_on + 1 where id = $1', [
      body.order_id,
    ]);
    await platform.query('delete from past_spend where agent_id = $1', [buyer.id]);
    return { buyer, product, seller, orderId: body.order_id as number };
  }
  const counted = async ({ id }: { id: number }) => {
    const [row] = await platform.query(
      `select amount::int, day - (now() at time zone 'UTC')::date as days
         from spend where agent_id = $1`,
      [id],
    );
    return row;
  };

  it('counts to that day, in a lone purchase', async () => {
    const { buyer, product } = await buyerOfTomorrow();
    expect((await buy(buyer, product)).status).to.equal(200);
    expect(await counted(buyer)).to.deep.equal({ amount: 2_200_000, days: 1 });
    const refused = await buy(buyer, product);
    expect([refused.status, refused.body.error]).to.deep.equal([402, 'daily_limit_exceeded']);
    expect(await counted(buyer)).to.deep.equal({ amount: 2_200_000, days: 1 });
  });

  /** Records purchases that nobody performs yet. */
  async function record(count: number, buyer: { id: number }, product: { id: number }) {
    const { database, clock, secrets } = platform.context;
    const { hash } = secrets.hash('test', 'test');
    const job = { operation: 'purchase_product', agentId: buyer.id, rootId: buyer.id, hash };
    const jobs = Array.from({ length: count }, () => ({
      ...job,
      id: newJobId(clock.now()),
      input: { product_id: product.id },
      requestId: 'req_batch',
    }));
    return [...(await insertJobs(database, jobs))];
  }

  it('counts to that day, in a batch', async () => {
    const { buyer, product } = await buyerOfTomorrow();
    const ids = await record(3, buyer, product);
    await runBatch(platform.context, { queue: 'money', operation: 'purchase_product', ids });
    const rows = await platform.query(
      'select http_status as status from job where id = any ($1) order by 1',
      [ids],
    );
    expect(rows.map(({ status }: { status: number }) => status)).to.deep.equal([200, 402, 402]);
    expect(await counted(buyer)).to.deep.equal({ amount: 2_200_000, days: 1 });
  });

  it('counts to that day, in a charge', async () => {
    const { buyer } = await buyerOfTomorrow();
    await setPolicy(platform, buyer, { daily_spend_limit: 1_101_000 });
    const { body } = await platform.request('GET /api/v1/agent/me', { key: buyer.key });
    expect(body.spent_today).to.equal(1.1);
    const refused = await platform.request('GET /api/v1/email/validate/a@mail.example', {
      key: buyer.key,
    });
    expect([refused.status, refused.body.error]).to.deep.equal([402, 'daily_limit_exceeded']);
    expect(await counted(buyer)).to.deep.equal({ amount: 1_100_000, days: 1 });
  });

  it('gives a refund back to the limits of that day', async () => {
    const { buyer, seller, orderId } = await buyerOfTomorrow();
    const { status } = await platform.request(`POST /api/v1/orders/${orderId}/refund`, {
      key: seller.key,
    });
    expect(status).to.equal(200);
    expect(await counted(buyer)).to.deep.equal({ amount: 0, days: 1 });
  });

  it('counts to the day of UTC, whatever the time zone of the session', async () => {
    const seller = await platform.agent();
    const fields = { price: 1, stock_kind: 'unlimited', content: 'open' };
    const product = await platform.product(seller, fields);
    const buyer = await platform.agent({ usd: 20 });
    await buy(buyer, product);
    await platform.context.database.transaction(async (db) => {
      await db.query(`set local timezone = '<tomorrow>-30'`);
      const [found] = await db.query(
        `select (now()::date - (now() at time zone 'UTC')::date) > 0 as ahead,
                spend_day($1) - (now() at time zone 'UTC')::date as days,
                (select spent_today::int from policy_checks(array [$1::bigint], array [1::bigint],
                                                            array ['dataset'], '{}',
                                                            '{}')) as spent`,
        [buyer.id],
      );
      expect(found).to.deep.equal({ ahead: true, days: 0, spent: 1_100_000 });
      const ids = await record(2, buyer, product);
      await db.query('select from perform_purchases($1)', [ids]);
    });
    expect(await counted(buyer)).to.deep.equal({ amount: 3_300_000, days: 0 });
  });
});
