// test:goals: it measures for how long a key is accepted after it was revoked elsewhere.
import type { TestPlatform } from '../harness.ts';
import { child, endChildren, openPlatform } from './children.ts';
import { acceptedForMs } from './measured/revoked_key.ts';
import { expectGoal } from './stalls.ts';

describe('two APIs', () => {
  let platform: TestPlatform;
  before(async () => (platform = await openPlatform({ workers: false })));
  after(async () => {
    await endChildren();
    await platform.close();
  });

  it('refuse a key at both APIs within a second after one of them revoked it', async () => {
    const api = () => child(platform, 'api/main.ts');
    const ms = await acceptedForMs(platform, await Promise.all([api(), api()]));
    expectGoal('a key that another process revoked was accepted', ms, 1_000);
  });
});
