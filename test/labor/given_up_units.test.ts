import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { expectRefusal } from '../orders/deal.ts';
import { runTimer } from '../orders/trade.ts';
import { done, type Agent } from '../tasks/board.ts';
import { claimsAs, claimsFallDue, judge, labor, openPool, take } from './pool.ts';
import { unitsOf, verdictsOf, work, workThrough } from './pool.ts';

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
    // Adds six that the tree has given up; one more lease ends now.
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

  it('go to others an hour after the verdict on a worker that knew none, and not sooner', async () => {
    const GOLD = [1, 2, 3].map((n) => ({ payload: `gold ${n}`, expected: 'cat' }));
    const fields = { units: [...unitsOf('a', 'b'), ...GOLD], verification: 'gold' };
    const { taskId } = await openPool(platform, fields);
    const [liar, careless, other] = await Promise.all([1, 2, 3].map(() => platform.agent()));
    await workThrough(platform, taskId, liar!, () => 'nonsense');
    await verdictsOf(platform, taskId);
    const hoursOf = async (worker: Agent) =>
      (await claimsAs(platform, worker, taskId)).map(({ appeal_by: by }) =>
        Math.round((Date.parse(by as string) - Date.now()) / 3_600_000),
      );
    expect(new Set(await hoursOf(liar!)), 'all of it').to.deep.equal(new Set([1]));
    const blocked = await labor(platform, 'take', { taskId, key: other!.key });
    expect(blocked.body.payload?.content ?? 'gold', 'work is kept').to.match(/^gold/);
    await platform.query(`update labor_claim set due_at = now() where task_id = $1`, [taskId]);
    await runTimer(platform, 'settle_due_labor');
    // One of three known answers is right.
    await workThrough(platform, taskId, careless!, (unit) => (unit === 'gold 1' ? 'cat' : 'dog'));
    await verdictsOf(platform, taskId);
    const rejected = (await hoursOf(careless!)).filter((hours) => !Number.isNaN(hours));
    expect(new Set(rejected)).to.deep.equal(new Set([24]));
  });

  it('are twenty at most of a new tree until the verdicts on them are final', async () => {
    const names = Array.from({ length: 22 }, (_, n) => `unit ${n}`);
    const pool = await openPool(platform, { units: unitsOf(...names) });
    const { taskId } = pool;
    const worker = await platform.agent();
    for (let n = 0; n < 20; n++) await work(platform, taskId, worker);
    const claims = await claimsAs(platform, worker, taskId);
    for (const { claim_id } of claims)
      done(await judge(platform, pool, claim_id as number, 'reject'));
    const refused = await labor(platform, 'take', { taskId, key: worker.key });
    expectRefusal(refused, 409, 'invalid_transition');
    expect(refused.body.details).to.include({ limited_by: 'units_of_new_worker', used: 20 });
    await claimsFallDue(platform, claims[0]!.claim_id as number);
    await runTimer(platform, 'settle_due_labor');
    expect(await take(platform, taskId, worker)).to.include({ status: 'claimed' });
  });
});
