import { expect } from 'chai';

import { openBackoff } from '../../shared/platform/shares/backoff.ts';

describe('a back-off', () => {
  let now = 0;
  const open = (free: number | null, holdersMax = 100) => {
    now = 0;
    return openBackoff(free, { elapsedMs: () => now, holdersMax });
  };

  it('has a holder wait twice as long after each failure beyond the free ones', () => {
    const backoff = open(3);
    const waits = Array.from({ length: 15 }, () => {
      backoff.fail('a');
      const ms = backoff.leftMs('a');
      now += ms;
      expect(backoff.leftMs('a')).to.equal(0);
      return ms / 1_000;
    });
    const longest = [900, 900, 900];
    expect(waits).to.deep.equal([0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, ...longest]);
  });

  it('affects nobody else, and nobody at all where it is off', () => {
    const backoff = open(1);
    backoff.fail('a');
    expect([backoff.leftMs('a'), backoff.leftMs('b')]).to.deep.equal([1_000, 0]);
    const off = open(null);
    for (let n = 0; n < 100; n += 1) off.fail('a');
    expect(off.leftMs('a')).to.equal(0);
  });

  it('forgets after an hour, and whoever failed longest ago when there are too many', () => {
    const backoff = open(1, 2);
    backoff.fail('a');
    now += 3_599_999;
    backoff.fail('a');
    expect(backoff.leftMs('a')).to.equal(2_000);
    now += 3_600_000;
    backoff.fail('a');
    expect(backoff.leftMs('a')).to.equal(1_000);
    backoff.fail('b');
    backoff.fail('a');
    backoff.fail('c');
    const left = ['a', 'b', 'c'].map((holder) => backoff.leftMs(holder));
    expect(left).to.deep.equal([2_000, 0, 1_000]);
  });
});
