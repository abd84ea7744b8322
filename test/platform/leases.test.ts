import { expect } from 'chai';

import { openLeases } from '../../shared/platform/leases.ts';
import { eventually, TestPlatform } from '../harness.ts';

describe('leases', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  after(() => platform.close());

  it('are acquired up to the limit of each holder, and again after one is released', async () => {
    const { queue } = platform.context;
    const leases = openLeases(queue, 'first', 2);
    const acquired = await Promise.all(['a', 'b', 'c', 'd'].map((name) => leases.acquire(7, name)));
    expect(acquired).to.deep.equal([true, true, false, false]);
    expect(await leases.acquire(8, 'e')).to.equal(true); // Each holder has its own count.
    leases.release(7, 'c'); // It is not held.
    expect(await leases.acquire(7, 'c')).to.equal(false);
    leases.release(7, 'a');
    expect(await leases.acquire(7, 'c')).to.equal(true);
    for (const name of ['b', 'c']) leases.release(7, name);
    leases.release(8, 'e');
    expect(await queue.redis.keys(`${platform.prefix}:first:*`)).to.deep.equal([]);
  });

  it('are restored after Redis has lost them', async () => {
    const { queue } = platform.context;
    const leases = openLeases(queue, 'second', 1);
    const key = `${platform.prefix}:second:7`;
    expect(await leases.acquire(7, 'a')).to.equal(true);
    await queue.redis.del(key);
    await eventually(() => queue.redis.zcard(key), Boolean);
    expect(await leases.acquire(7, 'b')).to.equal(false);
    leases.release(7, 'a');
  });

  it('are not granted while Redis does not answer', async () => {
    const cut = await TestPlatform.open({ workers: false, redisUrl: 'redis://127.0.0.1:1' });
    try {
      const leases = openLeases(cut.context.queue, 'first', 2);
      const failed = await leases.acquire(7, 'a').catch((error: unknown) => error);
      expect(failed).to.be.instanceOf(Error);
    } finally {
      await cut.close();
    }
  });
});
