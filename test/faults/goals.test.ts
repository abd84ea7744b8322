import { expect } from 'chai';
import Mocha from 'mocha';

import { MissedGoal, reaching } from './stalls.ts';

/** How a run ends that misses its goal, one that fails otherwise, and one that does not end. */
const miss = new MissedGoal('p99: 3.0 ms, the goal is 2.0');
const fault = new Error('2 deposits instead of 1');
const none = new Promise<never>(() => undefined);

describe('a test of goals', () => {
  /** How often it is run, and how often it is reported as failed, if its runs end like that. */
  async function outcome(
    ...ends: (Error | typeof none | undefined)[]
  ): Promise<[runs: number, failed: number]> {
    let runs = 0;
    const suite = new Mocha.Suite('', new Mocha.Context());
    const run = async () => {
      const end = ends[runs];
      runs += 1;
      if (end === none) await none;
      if (end) throw end;
    };
    suite.timeout(500);
    suite.addTest(new Mocha.Test('reaches it', reaching(run)));
    const failed = await new Promise<number>((resolve) => new Mocha.Runner(suite, {}).run(resolve));
    return [runs, failed];
  }

  it('is run again where one was missed, and fails if three runs missed one', async () => {
    expect(await outcome(undefined)).to.deep.equal([1, 0]);
    expect(await outcome(miss, undefined)).to.deep.equal([2, 0]);
    expect(await outcome(miss, miss, undefined)).to.deep.equal([3, 0]);
    expect(await outcome(miss, miss, miss)).to.deep.equal([3, 1]);
  });

  it('fails at once by anything else', async () => {
    expect(await outcome(fault)).to.deep.equal([1, 1]);
    expect(await outcome(miss, fault)).to.deep.equal([2, 1]);
    expect(await outcome(miss, none)).to.deep.equal([2, 1]);
  });
});
