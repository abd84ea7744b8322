import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { expectRefusal } from '../orders/deal.ts';
import { runTimer } from '../orders/trade.ts';
import { done } from '../tasks/board.ts';
import { claimsAs, judge, openPool, unitsOf, walletOf, work, workThrough } from './pool.ts';

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
    await workThrough(platform, taskId, right, () => 'cat');
    await workThrough(platform, taskId, wrong, () => 'dog');
    const before = await claimsAs(platform, right, taskId);
    expect(before.map(({ status }) => status)).to.deep.equal(['verifying', 'verifying']);
    await verdictsOfGold(taskId);
    const judges = (await claimsAs(platform, poster, taskId)).map(({ judged_by: by }) => by);
    expect(judges.filter((by) => by !== null)).to.deep.equal(['gold', 'gold']);
    expect(await walletOf(platform, right)).to.deep.equal([0, 0.6, 0]);
    expect(await walletOf(platform, wrong)).to.deep.equal([0, 0.5, 0]);
    const told = (await claimsAs(platform, wrong, taskId)).find(({ reason }) => reason !== null);
    expect(told, 'a known answer looks like the poster').to.include({ judged_by: 'poster' });
    expect(JSON.stringify(told!.reason), 'and does not name itself').to.include(
      'By the known answers of this task, this one or too many of your others are not right.',
    );
    const asked = await platform.query(
      `select object_id from event where agent_id = $1 and type = 'labor.delivered'`,
      [poster.id],
    );
    expect(asked, 'about its own two').to.have.length(2);
  });

  it('is accepted together where answers are the same, and not paid to one alone', async () => {
    const pool = await openPool(platform, { units: unitsOf('only'), overlap: 4, reward: 0.1 });
    const { taskId } = pool;
    const claims: number[] = [];
    for (const answer of ['cat', ' CAT', 'dog', 'cow']) {
      claims.push((await work(platform, taskId, await platform.agent(), answer)).claim_id);
    }
    const [cat, same, dog, cow] = claims as [number, number, number, number];
    done(await judge(platform, pool, dog, 'accept'));
    done(await judge(platform, pool, cat, 'accept'));
    expectRefusal(await judge(platform, pool, same, 'reject'), 409, 'invalid_transition');
    done(await judge(platform, pool, cow, 'reject'));
    const found = await claimsAs(platform, pool.poster, taskId);
    expect(found.map(({ status }) => status).toReversed()).to.deep.equal([
      'accepted',
      'accepted',
      'accepted',
      'rejected',
    ]);
  });

  it('is paid to whom the poster had rejected before it accepted the same answer', async () => {
    const pool = await openPool(platform, { units: unitsOf('only'), overlap: 2, reward: 0.1 });
    const [early, late] = [await platform.agent(), await platform.agent()];
    const { claim_id } = await work(platform, pool.taskId, early);
    done(await judge(platform, pool, claim_id, 'reject'));
    const again = await work(platform, pool.taskId, late, 'Cat');
    done(await judge(platform, pool, again.claim_id, 'accept'));
    for (const one of [early, late]) {
      expect(await walletOf(platform, one)).to.deep.equal([0, 0.6, 0]);
    }
  });

  it('is not rejected where the poster has paid another for the same answer', async () => {
    const pool = await openPool(platform, { units: unitsOf('only'), overlap: 2 });
    const { taskId } = pool;
    const [early, late] = [await platform.agent(), await platform.agent()];
    const { claim_id } = await work(platform, taskId, early);
    done(await judge(platform, pool, claim_id, 'accept'));
    const again = await work(platform, taskId, late, 'Cat');
    const refused = await judge(platform, pool, again.claim_id, 'reject');
    expectRefusal(refused, 409, 'invalid_transition');
    expect(refused.body.details).to.deep.equal({ same_as: claim_id });
    expect(await walletOf(platform, late)).to.deep.equal([0, 0.5, 0]);
    done(await judge(platform, pool, again.claim_id, 'accept'));
    expect(await walletOf(platform, late)).to.deep.equal([0, 0.51, 0]);
  });

  /** The verdicts by known answers fall due; the others wait for the poster. */
  async function verdictsOfGold(taskId: number): Promise<void> {
    await platform.query(
      `update labor_claim set due_at = now() where task_id = $1 and not for_poster`,
      [taskId],
    );
    await runTimer(platform, 'settle_due_labor');
  }
});
