import { existsSync, writeFileSync } from 'node:fs';

import { expect } from 'chai';

describe('a file that fails where it runs first', () => {
  it('passes when it runs again', () => {
    const { MARKER = '' } = process.env;
    const isSecond = existsSync(MARKER);
    writeFileSync(MARKER, '');
    expect(isSecond).to.equal(true);
  });
});
