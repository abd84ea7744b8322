import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { inQueue, untilWaiting } from '../in_queue.ts';
import { runTimer } from '../orders/trade.ts';
import { done } from '../tasks/board.ts';
import { claimsAs, claimsFallDue, expectStatus, judge, labor, laborAs } from './pool.ts';
import { openPool, unitsOf, walletOf, work, type Pool } from './pool.ts';

describe('labor that several change at once', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const call =
    ({ taskId, poster }: Pool, action: string, body: object = {}) =>
    () =>
      labor(platform, action, { taskId, key: poster.key }, body);
  const treeOf = ({ poster }: Pool) =>
    `select from ledger.treasury where id = ${poster.id} for update`;
  const statuses = (replies: { status: number }[]) => replies.map(({ status }) => status);

  it('is not opened again by who comes after its end, and its money is back', async () => {
    const pool = await openPool(platform);
    expectStatus(await call(pool, 'pause')(), 'paused');
    const resume = call(pool, 'pause', { paused: false });
    const replies = await inQueue(platform, treeOf(pool), [call(pool, 'cancel'), resume]);
    expect(statuses(replies)).to.deep.equal([200, 409]);
    expect(await laborAs(platform, pool.poster, pool.taskId)).to.include({ status: 'cancelled' });
    expect(await walletOf(platform, pool.poster)).to.deep.equal([5, 0.5, 0]);
  });

  it('is closed when the time to appeal ends while it is stopped', async () => {
    const pool = await openPool(platform);
    const { claim_id } = await work(platform, pool.taskId, await platform.agent());
    done(await judge(platform, pool, claim_id, 'reject'));
    await claimsFallDue(platform, claim_id);
    const [settled] = await inQueue<unknown>(platform, treeOf(pool), [
      () => runTimer(platform, 'settle_due_labor'),
      call(pool, 'cancel'),
    ]);
    expect(settled).to.deep.equal([{ settled: 1, failed: 0 }]);
    expect((await laborAs(platform, pool.poster, pool.taskId)).closed_at).not.to.equal(null);
    expect(await walletOf(platform, pool.poster)).to.deep.equal([5, 0.5, 0]);
  });

  it('is stopped only when nobody is taking a unit of it', async () => {
    const pool = await openPool(platform);
    const taking = platform.context.database.createQueryRunner();
    await taking.startTransaction();
    const lock = `select pg_advisory_xact_lock_shared(hashtextextended('labor', $1))`;
    await taking.query(lock, [pool.taskId]);
    const stopped = call(pool, 'cancel')();
    await untilWaiting(platform, 1);
    await taking.commitTransaction();
    await taking.release();
    expectStatus(await stopped, 'cancelled');
  });

  it('gives out no unit while it is being stopped', async () => {
    const { taskId } = await openPool(platform);
    const { key } = await platform.agent();
    const stopping = platform.context.database.createQueryRunner();
    await stopping.startTransaction();
    const lock = `select pg_advisory_xact_lock(hashtextextended('labor', $1))`;
    await stopping.query(lock, [taskId]);
    const taken = labor(platform, 'take', { taskId, key });
    await untilWaiting(platform, 1);
    await stopping.rollbackTransaction();
    await stopping.release();
    expectStatus(await taken, 'claimed');
  });

  it('keeps an appeal that comes while the time for it ends', async () => {
    const pool = await openPool(platform, { units: unitsOf('only') });
    const worker = await platform.agent();
    const { claim_id } = await work(platform, pool.taskId, worker);
    done(await judge(platform, pool, claim_id, 'reject'));
    await claimsFallDue(platform, claim_id);
    const appeal = platform.context.database.createQueryRunner();
    await appeal.startTransaction();
    await appeal.query(
      `update labor_claim set status = 'appealed', appeal = 'It is.', due_at = null where id = $1`,
      [claim_id],
    );
    const settled = runTimer(platform, 'settle_due_labor');
    await untilWaiting(platform, 1);
    await appeal.commitTransaction();
    await appeal.release();
    expect(await settled).to.deep.equal([{ settled: 0, failed: 0 }]);
    const [claim] = await claimsAs(platform, worker, pool.taskId);
    expect(claim).to.include({ status: 'appealed', is_final: false });
  });

  it('pays for what was delivered in time, whoever asks for its unit before the timer', async () => {
    const { taskId } = await openPool(platform, { units: unitsOf('only') });
    const [worker, other] = [await platform.agent(), await platform.agent()];
    const { claim_id } = await work(platform, taskId, worker);
    await claimsFallDue(platform, claim_id);
    expect((await labor(platform, 'take', { taskId, key: other.key })).status).to.equal(409);
    await runTimer(platform, 'settle_due_labor');
    expect(await walletOf(platform, worker)).to.deep.equal([0, 0.51, 0]);
  });
});
