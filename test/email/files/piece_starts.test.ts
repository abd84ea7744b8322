import { expect } from 'chai';

import { startsOf } from '../../../shared/domains/email/files/piece_starts.ts';

describe('the pieces of a file of addresses', () => {
  const addresses = (domains: readonly number[]) =>
    domains.map((domain_hash, row_number) => ({ row_number, domain_hash }));

  it('begin at once where no mail server is asked', () => {
    const given = addresses(Array.from({ length: 250 }, () => 1));
    const { delaysMs, seconds } = startsOf(given, { size: 100, count: 3, pauseMs: undefined });
    expect(delaysMs).to.deep.equal([0, 0, 0]);
    expect(seconds).to.equal(3);
  });

  it('begin when the mail servers of their domains are done with those before', () => {
    const given = addresses([1, 1, 2, 1, 3, 3, 2, 2]);
    const { delaysMs, seconds } = startsOf(given, { size: 2, count: 4, pauseMs: 1_000 });
    // 1 is free after 2 s, then after 3; 2 after 3 s; 3 after 2.
    expect(delaysMs).to.deep.equal([0, 2_000, 0, 3_000]);
    expect(seconds).to.equal(5);
  });

  it('let no mail server have more than one mailbox in its pause', () => {
    const given = addresses(Array.from({ length: 3_000 }, (_, n) => (n % 3 === 0 ? n : 7)));
    const { delaysMs } = startsOf(given, { size: 100, count: 30, pauseMs: 500 });
    for (let n = 1; n < 30; n += 1) {
      const asked = given
        .slice((n - 1) * 100, n * 100)
        .filter(({ domain_hash }) => domain_hash === 7).length;
      expect(delaysMs[n]! - delaysMs[n - 1]!).to.be.at.least(asked * 500);
    }
  });
});
