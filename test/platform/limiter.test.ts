import { expect } from 'chai';

import { openLimiter, Permit } from '../../shared/platform/limiter.ts';

describe('a limiter', () => {
  let nowMs = 0;
  let overdue = 0;
  beforeEach(() => (nowMs = overdue = 0));

  const open = (permitsMax: number, perFree = Infinity) =>
    openLimiter({
      permitsMax,
      perFree,
      permitMsMax: 1_000,
      refuse: () => new Error('full'),
      onOverdue: (permits) => (overdue += permits),
      elapsedMs: () => nowMs,
    });

  it('takes a permit back that is kept beyond its time, once, and reports it', () => {
    const limiter = open(2, 1);
    const [kept, second, third] = [new Permit(limiter), new Permit(limiter), new Permit(limiter)];
    kept.acquire(1);
    nowMs = 600;
    second.acquire(2);
    expect(() => third.acquire(3)).to.throw('full');
    nowMs = 1_000;
    third.acquire(3);
    expect(overdue).to.equal(1);
    kept.release(); // Late, and not its own any more.
    expect(limiter.isFull()).to.equal(true);
    second.release();
    expect(limiter.isFull()).to.equal(false);
    expect([limiter.isFree(3), limiter.isFree(2)], 'one is free').to.deep.equal([false, true]);
  });

  it('counts a permit once, however often its holder acquires it', () => {
    const limiter = open(2);
    const [one, other] = [new Permit(limiter), new Permit(limiter)];
    one.acquire(1);
    one.acquire(1);
    other.acquire(1);
    one.release();
    one.release();
    expect(limiter.isFull()).to.equal(false);
    one.acquire(1);
    expect(limiter.isFull()).to.equal(true);
  });

  it('is stuck for as long as it is full and nothing is released', () => {
    const limiter = open(2);
    const permits = [new Permit(limiter), new Permit(limiter)];
    nowMs = 100;
    permits.forEach((permit) => permit.acquire(1));
    nowMs = 300;
    expect(limiter.stuckMs()).to.equal(200);
    permits[0]!.release();
    expect(limiter.stuckMs()).to.equal(0);
    nowMs = 400;
    permits[0]!.acquire(1);
    expect(limiter.stuckMs()).to.equal(0);
    nowMs = 450;
    expect(limiter.stuckMs()).to.equal(50);
  });
});
