import { expect } from 'chai';

import { openLeases } from '../../shared/platform/shares/leases.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { patience } from './pace.ts';

/** How long a lease is held without a renewal. */
const TTL_MS = 6_000;

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

  it('of a process that is gone count no more, though another keeps its own', async () => {
    const { queue } = platform.context;
    const leases = openLeases(queue, 'third', 2);
    expect(await leases.acquire(7, 'a')).to.equal(true);
    const [seconds] = await queue.redis.time();
    await queue.redis.zadd(`${platform.prefix}:third:7`, (Number(seconds) - 1) * 1_000, 'gone');
    expect(await leases.acquire(7, 'b')).to.equal(true);
    for (const name of ['a', 'b']) leases.release(7, name);
  });

  it('are renewed, and restored after Redis has lost them; what failed is neither', async () => {
    const { queue } = platform.context;
    const leases = openLeases(queue, 'second', 1);
    const [lost, kept, failed] = [7, 8, 9].map((holder) => `${platform.prefix}:second:${holder}`);
    for (const holder of [7, 8]) expect(await leases.acquire(holder, `${holder}`)).to.equal(true);
    const endsAt = Number(await queue.redis.zscore(kept!, '8'));
    await queue.redis.set(failed!, 'no set');
    const error = await leases.acquire(9, '9').catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(Error);
    await queue.redis.del(lost!, failed!);
    await eventually(() => queue.redis.zcard(lost!), Boolean);
    expect(await leases.acquire(7, 'another')).to.equal(false);
    const renewed = await eventually(
      () => queue.redis.zscore(kept!, '8'),
      (score) => Number(score) > endsAt,
    );
    const late = patience(TTL_MS) - TTL_MS; // Whoever renews it may be held up.
    expect(Number(renewed) - TTL_MS, 'when it was renewed').to.be.below(endsAt + late);
    expect(await queue.redis.exists(failed!)).to.equal(0);
    for (const holder of [7, 8]) leases.release(holder, `${holder}`);
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
