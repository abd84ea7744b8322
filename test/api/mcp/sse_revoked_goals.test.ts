// test:goals: it measures how soon a stream ends whose key is revoked.
import { expect } from 'chai';

import { expectGoal } from '../../faults/stalls.ts';
import { TestPlatform } from '../../harness.ts';
import { openRevocable } from './revocable_stream.ts';

describe('a stream of MCP whose key is revoked', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(() => platform.close());

  it('ends within seconds', async () => {
    const { stream, revoke } = await openRevocable(platform);
    const revokedAt = performance.now();
    await revoke();
    expect(await stream.next()).to.equal(undefined);
    expectGoal('a stream of MCP whose key was revoked', performance.now() - revokedAt, 10_000);
  });
});
