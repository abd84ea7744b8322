// test:goals: it measures how soon a process ends that callers wait for.
import { expectGoal } from '../../faults/stalls.ts';
import { TestPlatform } from '../../harness.ts';
import { launch, MASTER_KEYS } from '../api_process.ts';
import { endUnderLoadMs } from './end_under_load.ts';

describe('the API process', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ env: { MASTER_KEYS }, workers: false });
  });
  after(() => platform.close());

  it('ends within nine seconds of SIGTERM under load', async () => {
    expectGoal('an API under load', await endUnderLoadMs(platform, launch(platform)), 9_000);
  });
});
