import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { signedIn } from '../console/browser_like.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { judge, openPool, unitsOf, work } from '../labor/pool.ts';
import { expectRefusal, openDeal, act as actOnOrder } from '../orders/deal.ts';
import { act, bidOn, done, hire, openJob, openTask, submit } from '../tasks/board.ts';
import { OPERATOR_TOKEN } from '../access/scene.ts';
import { rollUp } from '../wallet/reports/roll_up.ts';
import { gatherRecords } from './gather_records.ts';

describe('agent_record', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    await gatherRecords(platform);
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const recordOf = async ({ key }: { key: string }, query = '') =>
    done(await platform.request(`GET /api/v1/records?${query}`, { key }));
  const today = () => new Date().toISOString().slice(0, 10);
  const none = { refunded: 0, disputed: 0, disputes_lost: 0 };

  it('is of both sides of an order, of tasks and of labor', async () => {
    const { buyer, seller, orderId } = await openDeal(platform);
    await actOnOrder(platform, 'confirm_order', { orderId, key: buyer.key });
    const job = await openJob(platform);
    await hire(platform, job);
    await submit(platform, { taskId: job.taskId, key: job.worker.key });
    done(await act(platform, 'approve', { taskId: job.taskId, key: job.poster.key }));
    const pool = await openPool(platform, { units: unitsOf('a', 'b'), reward: 0.1 });
    for (const answer of ['cat', 'dog']) {
      const { claim_id } = await work(platform, pool.taskId, job.worker, answer);
      done(await judge(platform, pool, claim_id, 'accept'));
    }
    await gatherRecords(platform);
    const last_on = today();
    const weightless = { established_buyers: null, level: null };
    expect(await recordOf(seller)).to.deep.equal({
      agent_id: seller.id,
      records: [
        {
          role: 'seller',
          settled: 1,
          counterparties: 1,
          ...none,
          last_on,
          established_buyers: 1,
          level: 0, // ten cents less some seconds of age
          amount: 1,
        },
      ],
    });
    const one = { settled: 1, counterparties: 1, ...none, last_on, ...weightless };
    expect((await recordOf(buyer)).records).to.deep.equal([{ role: 'buyer', ...one, amount: 1 }]);
    expect((await recordOf(job.poster)).records).to.deep.equal([
      { role: 'poster', ...one, amount: 0.8 },
    ]);
    expect((await recordOf(job.worker)).records).to.deep.equal([
      { role: 'worker', ...one, settled: 3, counterparties: 2, amount: 1 },
    ]);
  });

  it('stands beside the bids of a worker, for the poster of a task', async () => {
    const job = await openJob(platform);
    await hire(platform, job);
    await submit(platform, { taskId: job.taskId, key: job.worker.key });
    done(await act(platform, 'approve', { taskId: job.taskId, key: job.poster.key }));
    await gatherRecords(platform);
    const poster = await platform.agent({ usd: 2 });
    const taskId = await openTask(platform, poster, { budget: 1 });
    const fresh = await platform.agent();
    for (const { key } of [job.worker, fresh]) await bidOn(platform, { taskId, key }, 0.5);
    const { bids } = done(await platform.request(`GET /api/v1/tasks/${taskId}/bids`, poster));
    const records = bids.map((bid: { bidder_record: object }) => bid.bidder_record);
    expect(records).to.deep.equal([
      { settled: 0, posters: 0, disputes_lost: 0 },
      { settled: 1, posters: 1, disputes_lost: 0 },
    ]);
    const { text } = await (await signedIn(platform, poster)).get(`/console/work/${taskId}`);
    expect(text).to.include('Settled work: 1, for 1 owner, 0 disputes lost.');
  });

  it('counts the disputes that each side has lost', async () => {
    const job = await openJob(platform);
    await hire(platform, job);
    const { taskId, poster, worker } = job;
    await submit(platform, { taskId, key: worker.key });
    done(await act(platform, 'reject', { taskId, key: poster.key }, { reason: 'It is wrong.' }));
    done(await act(platform, 'dispute', { taskId, key: worker.key }, { reason: 'It is right.' }));
    const verdict = { verdict: 'approve', note: 'It is right.' };
    const route = `POST /api/v1/admin/disputes/task/${taskId}/verdict`;
    done(await platform.request(route, { key: OPERATOR_TOKEN, body: verdict }));
    await gatherRecords(platform);
    const lost = async (agent: { key: string }) => {
      const [{ disputed, disputes_lost }] = (await recordOf(agent)).records;
      return [disputed, disputes_lost];
    };
    expect(await lost(poster)).to.deep.equal([1, 1]);
    expect(await lost(worker)).to.deep.equal([1, 0]);
  });

  it('is shown to owners, and without sums to the other side of an order', async () => {
    const { buyer, seller, orderId } = await openDeal(platform);
    const child = await childOf(platform, buyer);
    await actOnOrder(platform, 'confirm_order', { orderId, key: buyer.key });
    await gatherRecords(platform);
    const seen = await recordOf(seller, `order_id=${orderId}`);
    expect(seen.agent_id).to.equal(buyer.id);
    expect(seen.records).to.have.length(1);
    expect(seen.records[0]).to.include({ role: 'buyer', settled: 1, amount: null });
    expect((await recordOf(buyer, `order_id=${orderId}`)).agent_id).to.equal(seller.id);
    expect((await recordOf(buyer, `agent_id=${child.id}`)).records).to.deep.equal([]);
    const refused = (agent: { key: string }, query: string) =>
      platform.request(`GET /api/v1/records?${query}`, { key: agent.key });
    const outsider = await platform.agent();
    expectRefusal(await refused(outsider, `order_id=${orderId}`), 404, 'not_found');
    expectRefusal(await refused(seller, `agent_id=${buyer.id}`), 404, 'not_found');
    expectRefusal(
      await refused(seller, `agent_id=${seller.id}&order_id=${orderId}`),
      422,
      'validation_error',
    );
  });

  it('has a deal once whose transfers are gathered in two runs', async () => {
    const { buyer, seller, orderId } = await openDeal(platform);
    await gatherRecords(platform);
    await actOnOrder(platform, 'confirm_order', { orderId, key: buyer.key });
    await rollUp(platform);
    const [{ first, last }] = await platform.query(
      `select min(id) as first, max(id) as last from ledger.transfer
        where ref = $1 and kind in ('order.release', 'order.fee')`,
      [orderId],
    );
    expect(Number(last)).to.be.above(Number(first));
    for (const to of [first, last]) {
      await platform.query(
        `with mark as (select id from record_watermark for update),
              done as (select gather_records(id, $1) from mark where id < $1)
         update record_watermark set id = greatest(id, $1) from done`,
        [to],
      );
    }
    await gatherRecords(platform);
    expect((await recordOf(seller)).records[0]).to.include({ settled: 1, amount: 1 });
  });
});
