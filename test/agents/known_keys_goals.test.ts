// test:goals: it measures for how long another process accepts a key that has ended.
import { expect } from 'chai';

import { closeContext, openContext } from '../../shared/composition/open_context.ts';
import type { Context } from '../../shared/composition/context.ts';
import { expectGoal } from '../faults/stalls.ts';
import { TestPlatform } from '../harness.ts';
import { expire, spareKeyOf, trustedForMs } from './spare_key.ts';

describe('known keys', () => {
  let platform: TestPlatform;
  let elsewhere: Context; // what another API process is made of
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    const of = { process: 'elsewhere', prefix: platform.prefix };
    elsewhere = await openContext(platform.config, of);
    elsewhere.keys.start(() => undefined);
  });
  after(async () => {
    await closeContext(elsewhere);
    await platform.close();
  });

  for (const end of ['revocation', 'expiry'] as const) {
    it(`stop working in every process within a second of their ${end}`, async () => {
      const { agentId, key, revoke } = await spareKeyOf(platform);
      expect(await elsewhere.keys.find(key)).to.include({ agentId });
      await (end === 'revocation' ? revoke() : expire(platform, agentId));
      expectGoal(`trusted after its ${end}`, await trustedForMs(elsewhere, key), 1_000);
    });
  }
});
