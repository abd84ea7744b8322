// test:all: the own test of the mutations.
import { expect } from 'chai';

import type { Mutation } from '../mutation.ts';
import type { TestRun } from './test_run.ts';
import { tookTooLong, verdictOf } from './verdict.ts';

const MUTATION: Mutation = { name: 'fee_is_free', file: 'a.ts', from: 'a', to: 'b', tests: ['t'] };

/** A run of one test, which passed. */
const PASSED: TestRun = {
  passed: 1,
  failed: [],
  complete: true,
  timedOut: false,
  seconds: 4,
  output: '',
};
const failedBy = (message: string): TestRun => ({
  ...PASSED,
  passed: 0,
  failed: [{ file: 't', name: 'costs a fee', message, stack: `AssertionError: ${message}` }],
  seconds: 60,
});
const red = new Set<string>();
const wordOf = (run: TestRun, more: { red?: Set<string>; again?: TestRun } = {}) =>
  verdictOf(MUTATION, run, { red, ...more }).word;

describe('what is said of a mutation', () => {
  it('is killed where a test fails that passes without it', () => {
    expect(wordOf(failedBy('expected 0 to equal 1'))).to.equal('killed');
    expect(wordOf(PASSED)).to.equal('survived');
    const equivalent = { ...MUTATION, equivalent: 'It is the same.' };
    expect(verdictOf(equivalent, PASSED, { red }).word).to.equal('equivalent');
    expect(verdictOf(equivalent, failedBy('1'), { red }).good).to.equal(false);
  });

  it('is that nothing was learned where tests fail anyway, do not run, or are none', () => {
    expect(wordOf(failedBy('1'), { red: new Set(['costs a fee']) })).to.equal('broken');
    expect(wordOf({ ...PASSED, complete: false })).to.equal('broken');
    expect(wordOf({ ...PASSED, passed: 0 })).to.equal('broken');
  });

  it('is killed where tests take too long, and pass without it at the same moment', () => {
    const slow = failedBy('Timeout of 60000ms exceeded. For async tests …');
    const waited = failedBy('Waited in vain for 30005 ms; the last answer: 0');
    const long = [slow, waited, { ...PASSED, timedOut: true }];
    expect(long.map(tookTooLong)).to.deep.equal([true, true, true]);
    expect([PASSED, failedBy('expected 0 to equal 1')].map(tookTooLong)).to.deep.equal([
      false,
      false,
    ]);
    expect(wordOf(slow, { again: PASSED })).to.equal('killed');
    expect(wordOf(slow, { again: slow })).to.equal('broken');
    expect(wordOf({ ...slow, failed: [], timedOut: true }, { again: PASSED })).to.equal('killed');
  });
});
