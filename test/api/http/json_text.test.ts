import { expect } from 'chai';

import { excessOf } from '../../../shared/kernel/reading/json_text.ts';

describe('a body', () => {
  const list = (n: number) => `{"a":[${Array.from({ length: n }, () => 1).join(',')}]}`;
  const fields = (n: number) => `{${Array.from({ length: n }, (_, i) => `"f${i}":1`).join(',')}}`;

  it('may hold as many values as what is sold, and as many fields as any object needs', () => {
    for (const text of [list(40_000), fields(1_000), `[${list(30_000)},${fields(5_000)}]`]) {
      expect(excessOf(text)).to.equal(undefined);
    }
  });

  it('holds too many values, unless they are text', () => {
    for (const text of [list(40_001), fields(1_001), ` \n${fields(1_001)}`]) {
      expect(excessOf(text)).to.equal('holds too many values');
    }
    expect(excessOf(JSON.stringify({ a: list(60_000), '"': fields(2_000) }))).to.equal(undefined);
  });
});
