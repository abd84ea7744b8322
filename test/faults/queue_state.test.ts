import { expect } from 'chai';
import { Queue, Worker } from 'bullmq';

import { audit } from '../../shared/ledger/audit.ts';
import { redisForWorkers } from '../../shared/platform/redis.ts';
import { House } from '../harness.ts';
import { forget, handOn } from './market.ts';

/** Whatever becomes of a job in BullMQ decides nothing: its row does. */
describe('a job that BullMQ has done away with', function () {
  this.timeout(40_000);

  let house: House;
  beforeEach(async () => {
    house = await House.open({ workers: false });
  });
  afterEach(async () => {
    expect(await audit(house.context.database)).to.deep.equal([]);
    await house.close();
  });

  async function accepted() {
    const [seller, buyer] = await Promise.all([house.agent(), house.agent({ usd: 5 })]);
    const { id: product_id } = await house.product(seller);
    const { body } = await house.request('POST /api/v1/orders?wait=0', {
      key: buyer.key,
      body: { product_id },
    });
    return { buyer, id: body.job_id, poll: `GET ${body.poll}?wait=20` };
  }

  async function isDone({ buyer, poll }: Awaited<ReturnType<typeof accepted>>) {
    await house.resumeWorkers();
    const { body } = await house.request(poll, { key: buyer.key });
    expect(body.status).to.equal('complete');
    expect(await house.balance(buyer)).to.equal(4.4);
  }

  it('is done all the same when it was removed', async () => {
    const job = await accepted();
    const connection = redisForWorkers(house.config.redisUrl, house.context.log);
    const queue = new Queue('orders', { connection, prefix: house.prefix });
    await queue.obliterate({ force: true });
    await queue.close();
    connection.disconnect();
    await isDone(job);
  });

  it('is done all the same when it stands among the failed', async () => {
    const job = await accepted();
    await forget(house);
    await handOn(house, [job.id]);
    const connection = redisForWorkers(house.config.redisUrl, house.context.log);
    const fails = () => Promise.reject(new Error('on purpose'));
    const worker = new Worker('orders', fails, { connection, prefix: house.prefix });
    await new Promise((resolve) => worker.once('failed', resolve));
    await worker.close();
    connection.disconnect();
    await isDone(job);
  });
});
