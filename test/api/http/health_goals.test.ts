// test:goals: it measures how soon an API says that its database does not answer.
import { asOwner } from '../../as_owner.ts';
import { expectGoal } from '../../faults/stalls.ts';
import { TestPlatform } from '../../harness.ts';

describe('readiness', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(() => platform.close());

  it('is refused within a second while the database does not answer', async () => {
    let ms = Infinity;
    await asOwner(platform, 'begin; lock migrations', async () => {
      const askedAt = performance.now();
      await platform.request('GET /readyz');
      ms = performance.now() - askedAt;
    });
    expectGoal('readiness without a database', ms, 1_000);
  });
});
