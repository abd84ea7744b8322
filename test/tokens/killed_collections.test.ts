// test:all: workers are killed at each step of a payment or a charge.
import { expect } from 'chai';

import { FINAL_AFTER } from '../../sandbox/solana/slots.ts';
import { audit } from '../../shared/composition/audit.ts';
import { endChildren, openPlatform } from '../faults/children.ts';
import { create, emptied, mintsOf, openCollectionRig, untilMade } from './collection_rig.ts';
import { killAt } from './killing.ts';

describe('a worker that is killed while it makes a collection', function () {
  this.timeout(120_000);

  it('makes one, whatever it was about to do', async () => {
    const solana = await openCollectionRig();
    const platform = await openPlatform({ workers: false, env: solana.env });
    try {
      const agent = await platform.agent({ usd: 10 });
      const refill = await emptied(solana);
      await platform.resumeWorkers();
      const { body } = await create(platform, agent);
      await platform.pauseWorkers();
      await refill();
      const between = () => solana.rig.node.advance(FINAL_AFTER);
      const killing = { timer: 'deploy_collections', env: solana.env, between } as const;
      await killAt(platform, body.collection_id, ['T0', 'T1', 'T2', 'T3'], killing);
      await platform.resumeWorkers();
      const made = await untilMade(platform, solana, body.collection_id);
      expect(made).to.include({ status: 'deployed', attempts: 1 });
      await platform.pauseWorkers();
      expect(await mintsOf(solana)).to.have.length(1);
      expect(await audit(platform.context.database)).to.deep.equal([]);
    } finally {
      await endChildren();
      await platform.close();
      await solana.rig.close();
    }
  });
});
