import { readFileSync } from 'node:fs';

import { expect } from 'chai';

import { VERDICTS } from '../../shared/domains/email/findings.ts';

describe('docs/email.md', () => {
  it('lists each sub_status with its status', () => {
    const text = readFileSync('docs/email.md', 'utf8');
    const listed = [
      ...text.matchAll(/^\| `(\w+)` \| (deliverable|risky|undeliverable|unknown) \|/gm),
    ];
    const wanted = Object.entries(VERDICTS).map(([name, [status]]) => `${name} ${status}`);
    const found = listed.map(([, name, status]) => `${name} ${status}`);
    expect(found.toSorted()).to.deep.equal(wanted.toSorted());
  });
});
