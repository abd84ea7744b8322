// test:goals: it measures how soon those that wait to be refused are, when a process ends.
import { asOwner } from '../as_owner.ts';
import type { TestPlatform } from '../harness.ts';
import { endChildren, openPlatform } from './children.ts';
import { endRefusals } from './measured/ended_refusals.ts';
import { expectGoal } from './stalls.ts';

describe('one agent that calls without end', () => {
  let platform: TestPlatform;
  before(async () => (platform = await openPlatform({ workers: false })));
  after(async () => {
    await endChildren();
    await platform.close();
  });

  it('is refused what it was not told yet in three seconds when the process ends', async () => {
    const flooder = await platform.agent();
    let ms = Infinity;
    const lock = 'begin; lock table policy in access exclusive mode';
    await asOwner(platform, lock, async () => void (ms = await endRefusals(platform, flooder)));
    expectGoal('the end of a process that refuses', ms, 3_000);
  });
});
