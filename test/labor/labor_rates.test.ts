import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { runTimer } from '../orders/trade.ts';
import { done } from '../tasks/board.ts';
import { claimsFallDue, judge, labor, laborAs, openPool, take, unitsOf, work } from './pool.ts';

describe('rates of labor', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  it('say to a worker what it gave up, and to all what a poster rejects and lets pass', async () => {
    const pool = await openPool(platform, { units: unitsOf('a', 'b', 'c', 'd', 'e', 'f') });
    const { taskId, poster } = pool;
    const worker = await platform.agent();
    const claims: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      claims.push((await work(platform, taskId, worker)).claim_id as number);
    }
    done(await judge(platform, pool, claims[0]!, 'accept'));
    done(await judge(platform, pool, claims[1]!, 'reject'));
    // Time accepts the third.
    await claimsFallDue(platform, claims[2]!);
    await runTimer(platform, 'settle_due_labor');
    const back = await take(platform, taskId, worker);
    const at = { taskId, key: worker.key };
    done(await labor(platform, 'release', at, { claim_id: back.claim_id }));
    const late = await take(platform, taskId, worker);
    await claimsFallDue(platform, late.claim_id);
    await runTimer(platform, 'settle_due_labor');
    const seen = await laborAs(platform, worker, taskId);
    expect(seen.worker_record).to.deep.equal({ judged: 2, accepted: 1, given_up: 2 });
    expect(seen.poster_record).to.deep.equal({
      judged: 2,
      accepted: 1,
      unjudged: 1,
      given_up: 2,
      appeals_won: 0,
      appeals_lost: 0,
    });
    expect(await laborAs(platform, poster, taskId)).to.not.have.property('worker_record');
    const other = await laborAs(platform, await platform.agent(), taskId);
    expect(other.worker_record).to.deep.equal({ judged: 0, accepted: 0, given_up: 0 });
  });
});
