import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { judge, labor, openPool, unitsOf, work } from '../labor/pool.ts';
import { act, done, openJob, submit } from '../tasks/board.ts';
import { gatherRecords } from './gather_records.ts';

describe('the records of workers', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const settledOf = async ({ key }: { key: string }) =>
    done(await platform.request('GET /api/v1/records', { key })).records.map(
      ({ settled }: { settled: number }) => settled,
    );

  it('have a unit whose claim has the id of an escrow that was refunded before', async () => {
    const left = await openPool(platform, { units: unitsOf('a') });
    done(await labor(platform, 'cancel', { taskId: left.taskId, key: left.poster.key }));
    await gatherRecords(platform);
    const refunded = await platform.query(
      `select ref::int from ledger.transfer where kind = 'labor.refund'`,
    );
    const [worker, pool] = [await platform.agent(), await openPool(platform)];
    const { claim_id } = await work(platform, pool.taskId, worker);
    expect(refunded).to.deep.equal([{ ref: claim_id }]);
    done(await judge(platform, pool, claim_id, 'accept'));
    await gatherRecords(platform);
    expect(await settledOf(worker)).to.deep.equal([1]);
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });

  it('have work that nobody had asked for, and that was approved', async () => {
    const { poster, worker, taskId } = await openJob(platform);
    done(await submit(platform, { taskId, key: worker.key }));
    done(await act(platform, 'approve', { taskId, key: poster.key }));
    await gatherRecords(platform);
    expect(await settledOf(worker)).to.deep.equal([1]);
    expect(await settledOf(poster)).to.deep.equal([1]);
  });
});
