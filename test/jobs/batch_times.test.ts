import { expect } from 'chai';

import { openBatchTimes } from '../../workers/batch_times.ts';

describe('batch times', () => {
  it('are the longest of the last seconds', () => {
    const times = openBatchTimes();
    expect(times.slowestMs(0)).to.equal(0);
    times.note(80, 1_000);
    times.note(30, 1_500);
    expect(times.slowestMs(1_600)).to.equal(80);
    times.note(20, 2_500);
    expect(times.slowestMs(3_900), 'of the period before').to.equal(80);
    expect(times.slowestMs(4_100)).to.equal(20);
    expect(times.slowestMs(60_000)).to.equal(0);
  });
});
