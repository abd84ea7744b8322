import { expect } from 'chai';
import { Queue, Worker } from 'bullmq';

import { audit } from '../../shared/composition/audit.ts';
import { redisForWorkers } from '../../shared/platform/redis.ts';
import { TestPlatform } from '../harness.ts';
import { clearRedis, enqueueBatch } from './market.ts';

/** The state of a job in BullMQ decides nothing: its row does. */
describe('a job that BullMQ lost', function () {
  this.timeout(40_000);

  let platform: TestPlatform;
  beforeEach(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  afterEach(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  async function acceptedPurchase() {
    const [seller, buyer] = await Promise.all([platform.agent(), platform.agent({ usd: 5 })]);
    const { id: product_id } = await platform.product(seller);
    const { body } = await platform.request('POST /api/v1/orders?wait=0', {
      key: buyer.key,
      body: { product_id },
    });
    return { buyer, id: body.job_id, poll: `GET ${body.poll}?wait=20` };
  }

  async function expectDone({ buyer, poll }: Awaited<ReturnType<typeof acceptedPurchase>>) {
    await platform.resumeWorkers();
    const { body } = await platform.request(poll, { key: buyer.key });
    expect(body.status).to.equal('complete');
    expect(await platform.balance(buyer)).to.equal(4.4);
  }

  it('is still performed when its queue was obliterated', async () => {
    const job = await acceptedPurchase();
    const connection = redisForWorkers(platform.config.redisUrl, platform.context.log);
    const queue = new Queue('money', { connection, prefix: platform.prefix });
    await queue.obliterate({ force: true });
    await queue.close();
    connection.disconnect();
    await expectDone(job);
  });

  it('is still performed when it is in the failed set', async () => {
    const job = await acceptedPurchase();
    await clearRedis(platform);
    await enqueueBatch(platform, [job.id]);
    const connection = redisForWorkers(platform.config.redisUrl, platform.context.log);
    const fails = () => Promise.reject(new Error('on purpose'));
    const worker = new Worker('money', fails, { connection, prefix: platform.prefix });
    await new Promise((resolve) => worker.once('failed', resolve));
    await worker.close();
    connection.disconnect();
    await expectDone(job);
  });
});
