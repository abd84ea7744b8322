import { expect } from 'chai';
import type { DataSource } from 'typeorm';

import { openAcceptance } from '../../shared/jobs/accept.ts';
import { openWaiters, type Waiters } from '../../shared/jobs/waiters.ts';
import { PLATFORM } from '../../shared/kernel/caller.ts';
import type { Context } from '../../shared/composition/context.ts';
import { overloaded } from '../../shared/kernel/refusal.ts';
import { purchaseProduct } from '../../shared/domains/orders/purchase_product.ts';
import { openLimiter } from '../../shared/platform/limiter.ts';
import { eventually, TestPlatform } from '../harness.ts';

const PERMITS = 4;

describe('the acceptance of calls as jobs', () => {
  let platform: TestPlatform;
  let waiters: Waiters;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    const { database, config, log } = platform.context;
    waiters = openWaiters(database, config.redisUrl, log);
  });
  after(async () => {
    waiters.close();
    await platform.close();
  });

  /** That of a process with few permits and these parts. */
  function open(parts: Partial<Context>) {
    const jobs = openLimiter({
      permitsMax: PERMITS,
      perFree: PERMITS,
      permitMsMax: 60_000,
      refuse: overloaded,
      onOverdue: () => undefined,
    });
    const limiters = { ...platform.context.limiters, jobs };
    const accept = openAcceptance({ ...platform.context, ...parts, limiters }, waiters);
    const call = {
      caller: { ...PLATFORM, agentId: 5, rootId: 5 },
      input: { product_id: 1 },
      key: undefined,
      requestId: 'test',
      address: undefined,
      waitMs: 20_000,
      disconnect: undefined,
    };
    return () => accept(purchaseProduct, call);
  }

  it('takes as many calls as it has permits, until their batches are answered or given up', async function () {
    this.timeout(8_000);
    const accept = open({});
    const calls = await Promise.allSettled(Array.from({ length: 2 * PERMITS }, accept));
    const refused = calls.flatMap((call) => (call.status === 'rejected' ? [call.reason] : []));
    expect(refused.length).to.be.within(PERMITS, 2 * PERMITS - 1);
    expect(refused[0]).to.include({ code: 'queue_overloaded' });
    // No worker is there: after a second without an answer their batch counts no more.
    const isTaken = () =>
      accept().then(
        () => true,
        () => false,
      );
    await eventually(isTaken, Boolean);
  });

  it('gives the permits of calls back that cannot be recorded', async () => {
    const failing: DataSource['query'] = () => Promise.reject(new Error('on purpose'));
    const database = Object.create(platform.context.database, { query: { value: failing } });
    const accept = open({ database });
    for (let n = 0; n < 2 * PERMITS; n += 1) {
      expect(await accept().catch(String)).to.equal('Error: on purpose');
    }
  });

  it('lets no caller wait for a job that no worker can get', async () => {
    const queue = { ...platform.context.queue, push: async () => false };
    const { job, waiter } = await open({ queue })();
    expect(job).to.be.an('object');
    expect(await Promise.race([waiter.answer, Promise.resolve('still waiting')])).to.equal(null);
  });
});
