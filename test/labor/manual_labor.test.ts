import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { claimsAs, openPool, unitsOf, work } from './pool.ts';

describe('labor that its poster judges', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  it('leaves gold units to their known answers, and asks the poster about others alone', async () => {
    const units = [{ payload: 'known', expected: 'Cat' }, ...unitsOf('unknown')];
    const { poster, taskId } = await openPool(platform, {
      units,
      verification: 'manual',
      overlap: 2,
      reward: 0.1,
    });
    const [right, wrong] = [await platform.agent(), await platform.agent()];
    expect(await work(platform, taskId, right, 'cat')).to.include({
      status: 'accepted',
      paid: 0.1,
    });
    expect(await work(platform, taskId, right, 'cat')).to.include({ status: 'verifying', paid: 0 });
    expect(await work(platform, taskId, wrong, 'dog')).to.include({ status: 'rejected', paid: 0 });
    const judges = (await claimsAs(platform, poster, taskId)).map(({ judged_by: by }) => by);
    expect(judges.toReversed()).to.deep.equal(['gold', null, 'gold']);
    const asked = await platform.query(
      `select object_id from event where agent_id = $1 and type = 'labor.delivered'`,
      [poster.id],
    );
    expect(asked).to.have.length(1);
  });
});
