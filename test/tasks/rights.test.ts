import { expect } from 'chai';

import { OPERATOR_TOKEN } from '../access/scene.ts';
import { mine, offer, rotate, ROWS } from '../datasets/offer.ts';
import { TestPlatform } from '../harness.ts';
import { judge, openPool, walletOf, work } from '../labor/pool.ts';
import { expectRefusal } from '../orders/deal.ts';
import { act, bidOn, done, fallDue, fundsOf, openJob, openTask, submit, taskAs } from './board.ts';

/** Calls that name the work of another agent, or an object in another state. */
describe('on the boards nobody', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  it('has a bid of another task accepted, nor one after the deadline', async () => {
    const { poster, worker, taskId } = await openJob(platform);
    const other = await openTask(platform, poster, { budget: 1 });
    const bid = done(await bidOn(platform, { taskId: other, ...worker }, 0.5));
    const before = await fundsOf(platform, poster, worker);
    const accept = (id: number) =>
      act(platform, `bids/${bid.bid_id}/accept`, { taskId: id, key: poster.key });
    expectRefusal(await accept(taskId), 404, 'not_found');
    await fallDue(platform, other);
    expectRefusal(await accept(other), 409, 'invalid_transition');
    const late = await bidOn(platform, { taskId: other, ...(await platform.agent()) }, 0.5);
    expectRefusal(late, 409, 'invalid_transition');
    for (const id of [taskId, other]) {
      expect((await taskAs(platform, poster, id)).worker_id).to.equal(null);
    }
    expect(await fundsOf(platform, poster, worker)).to.deep.equal(before);
  });

  it('has work approved that was submitted to another task', async () => {
    const { poster, worker, taskId } = await openJob(platform);
    const other = await openTask(platform, poster, { budget: 1 });
    const { submission_id } = done(await submit(platform, { taskId: other, ...worker }));
    const before = await fundsOf(platform, poster, worker);
    const approved = await act(platform, 'approve', { taskId, ...poster }, { submission_id });
    expectRefusal(approved, 404, 'not_found');
    expect(await fundsOf(platform, poster, worker)).to.deep.equal(before);
  });

  it('judges a claim by a task that it is not of, nor decides what nobody appealed', async () => {
    const pool = await openPool(platform, { verification: 'manual' });
    const other = await openPool(platform, { verification: 'manual' });
    const worker = await platform.agent();
    const { claim_id } = await work(platform, pool.taskId, worker);
    const funds = async () => [
      await walletOf(platform, pool.poster),
      await walletOf(platform, worker),
    ];
    const before = await funds();
    expectRefusal(await judge(platform, other, claim_id, 'accept'), 404, 'not_found');
    const route = `POST /api/v1/admin/disputes/labor/${claim_id}/verdict`;
    const body = { verdict: 'accept', note: 'It is a cat.' };
    const decided = await platform.request(route, { key: OPERATOR_TOKEN, body });
    expectRefusal(decided, 409, 'invalid_transition');
    expect(await funds()).to.deep.equal(before);
  });

  it('changes a dataset of another seller', async () => {
    const seller = await platform.agent();
    const { dataset_id: id } = await offer(platform, seller);
    const { newest } = await mine(platform, seller, id);
    const changed = await rotate(platform, await platform.agent(), id, { data: [ROWS[0]] });
    expectRefusal(changed, 403, 'forbidden');
    expect((await mine(platform, seller, id)).newest).to.deep.equal(newest);
  });
});
