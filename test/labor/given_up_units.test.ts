import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { expectRefusal } from '../orders/deal.ts';
import { done } from '../tasks/board.ts';
import { labor, openPool, take, unitsOf } from './pool.ts';

describe('units of labor', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  it('are given to no tree that gave up as many in a day as there are, and to others', async () => {
    const names = Array.from({ length: 9 }, (_, n) => `unit ${n}`);
    const { taskId } = await openPool(platform, { units: unitsOf(...names) });
    const [worker, other] = [await platform.agent(), await platform.agent()];
    const child = await childOf(platform, worker);
    const released = await take(platform, taskId, worker);
    done(await labor(platform, 'release', { taskId, ...worker }, { claim_id: released.claim_id }));
    // As if the tree had given up six more; one more lease ends now.
    await platform.query(
      `insert into labor_claim (task_id, unit_id, agent_id, root_id, status, taken_at, closed_at)
       select task_id, unit_id, agent_id, root_id, 'expired', now(), now() - interval '1 h'
         from labor_claim, generate_series(1, 6) where id = $1`,
      [released.claim_id],
    );
    const lapsed = await take(platform, taskId, child);
    const held = await take(platform, taskId, child);
    await platform.query(`update labor_claim set due_at = now() - interval '1 s' where id = $1`, [
      lapsed.claim_id,
    ]);
    // Eight are given up: with the next one it is over.
    done(await labor(platform, 'release', { taskId, ...child }, { claim_id: held.claim_id }));
    const refused = await labor(platform, 'take', { taskId, key: child.key });
    expectRefusal(refused, 429, 'rate_limited');
    const { details } = refused.body;
    expect(details).to.include({ limited_by: 'units_given_up', limit: 9, used: 9 });
    expect(details.retry_after_seconds).to.be.within(22 * 3_600, 23 * 3_600);
    expect(refused.headers.get('retry-after')).to.equal(String(details.retry_after_seconds));
    expect(await take(platform, taskId, other)).to.include({ status: 'claimed' });
    await platform.query(
      `update labor_claim set closed_at = now() - interval '25 h' where status = 'expired'`,
    );
    expect(await take(platform, taskId, worker)).to.include({ status: 'claimed' });
  });
});
