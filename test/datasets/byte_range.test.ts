import { expect } from 'chai';

import { byteRangeOf } from '../../api/dataset_files/byte_range.ts';

describe('parts of files', () => {
  it('have ranges as RFC 9110 says', () => {
    for (const [header, range] of [
      ['bytes=0-0', { first: 0, last: 0 }],
      ['bytes=5-100', { first: 5, last: 9 }],
      ['bytes=-100', { first: 0, last: 9 }],
      ['bytes=10-', null],
      ['bytes=-0', null],
      ['bytes=5-4', undefined],
      ['bytes=-', undefined],
      ['lines=1-2', undefined],
      [undefined, undefined],
    ] as const) {
      expect(byteRangeOf(header, 10), header).to.deep.equal(range);
    }
  });
});
