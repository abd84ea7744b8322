// test:all: the own test of the mutations.
import { expect } from 'chai';

import { MUTATIONS } from './mutations.ts';
import { problemOf } from './run/problem.ts';

describe('the mutations', () => {
  const all = Object.values(MUTATIONS).flat();

  it('are at least 150', () => {
    expect(all.length).to.be.at.least(150);
  });

  it('can be applied: the text of each is in its file once, and its tests are there', () => {
    const problems = all.map((mutation) => [mutation.name, problemOf(mutation)]);
    expect(problems.filter(([, problem]) => problem !== undefined)).to.deep.equal([]);
  });

  it('have names that say the wrong rule, each its own', () => {
    const names = all.map(({ name }) => name);
    expect(names.filter((name) => !/^[a-z0-9]+(_[a-z0-9]+)+$/.test(name))).to.deep.equal([]);
    expect(names.filter((name, n) => names.indexOf(name) !== n)).to.deep.equal([]);
  });
});
