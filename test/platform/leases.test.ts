import { expect } from 'chai';

import { openLeases } from '../../shared/platform/leases.ts';
import { eventually, TestPlatform } from '../harness.ts';

describe('seats', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  after(() => platform.close());

  it('are taken by as many as there are, and free again when they are left', async () => {
    const seats = openLeases(platform.context, 'chairs', 2);
    const taken = await Promise.all(['a', 'b', 'c', 'd'].map((seat) => seats.take(7, seat)));
    expect(taken).to.deep.equal([true, true, false, false]);
    expect(await seats.take(8, 'e')).to.equal(true); // Another holder has seats of its own.
    seats.leave(7, 'c'); // It has none.
    expect(await seats.take(7, 'c')).to.equal(false);
    seats.leave(7, 'a');
    expect(await seats.take(7, 'c')).to.equal(true);
    for (const seat of ['b', 'c']) seats.leave(7, seat);
    seats.leave(8, 'e');
    expect(await platform.context.queue.redis.keys(`${platform.prefix}:chairs:*`)).to.deep.equal(
      [],
    );
  });

  it('are taken again, without being asked for, when Redis has lost them', async () => {
    const seats = openLeases(platform.context, 'stools', 1);
    const key = `${platform.prefix}:stools:7`;
    expect(await seats.take(7, 'a')).to.equal(true);
    await platform.context.queue.redis.del(key);
    await eventually(() => platform.context.queue.redis.zcard(key), Boolean);
    expect(await seats.take(7, 'b')).to.equal(false);
    seats.leave(7, 'a');
  });

  it('are not given while Redis does not answer', async () => {
    const cut = await TestPlatform.open({ workers: false, redisUrl: 'redis://127.0.0.1:1' });
    try {
      const seats = openLeases(cut.context, 'chairs', 2);
      const failed = await seats.take(7, 'a').catch((error: unknown) => error);
      expect(failed).to.be.instanceOf(Error);
    } finally {
      await cut.close();
    }
  });
});
