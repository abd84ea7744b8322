import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { expectRefusal } from '../orders/deal.ts';
import { done } from '../tasks/board.ts';
import { expectStatus, judge, knownTo, labor, openPool, take, unitsOf, work } from './pool.ts';

describe('the records of those that work', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const many = unitsOf(...Array.from({ length: 30 }, (_, n) => `unit ${n}`));
  const takeAs = (taskId: number, { key }: { key: string }) =>
    labor(platform, 'take', { taskId, key });

  it('let a tree without one have twenty units that are not judged, its children counted', async () => {
    const pool = await openPool(platform, { units: many });
    const { taskId } = pool;
    const root = await platform.agent();
    const child = await childOf(platform, root);
    // Friends that have paid no cash: what they say of it is nothing.
    for (let friend = 0; friend < 3; friend++) {
      await knownTo(platform, { poster: await platform.agent(), taskId }, root);
    }
    const delivered: number[] = [];
    for (let unit = 0; unit < 10; unit++) {
      delivered.push((await work(platform, taskId, root, `answer ${unit}`)).claim_id);
    }
    const replies = await Promise.all(
      Array.from({ length: 14 }, (_, n) => takeAs(taskId, n % 2 === 0 ? root : child)),
    );
    expect(replies.filter(({ status }) => status === 200)).to.have.length(10);
    const refused = replies.find(({ status }) => status !== 200)!;
    expectRefusal(refused, 409, 'invalid_transition');
    expect(refused.body.details).to.deep.equal({
      limited_by: 'units_of_new_worker',
      limit: 20,
      used: 20,
      resets_at: null,
    });
    for (const claimId of delivered.slice(0, 5)) {
      done(await judge(platform, pool, claimId, 'accept'));
    }
    for (let unit = 0; unit < 10; unit++) await take(platform, taskId, child);
  });

  it('hold for no more units of a worker than the poster wants of one', async () => {
    const { taskId } = await openPool(platform, { units: many, max_units_per_worker: 3 });
    const root = await platform.agent();
    const child = await childOf(platform, root);
    await work(platform, taskId, root);
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, n) => takeAs(taskId, n % 2 === 0 ? root : child)),
    );
    expect(replies.filter(({ status }) => status === 200)).to.have.length(2);
    const refused = replies.find(({ status }) => status !== 200)!;
    expectRefusal(refused, 409, 'invalid_transition');
    expect(refused.body.details).to.include({ limited_by: 'units_of_worker', limit: 3, used: 3 });
    expectStatus(await takeAs(taskId, await platform.agent()), 'claimed');
  });

  it('end where a poster wants no more of a tree: that delivers what it has', async () => {
    const pool = await openPool(platform, { units: many });
    const { poster, taskId } = pool;
    const [worker, other] = [await platform.agent(), await platform.agent()];
    const child = await childOf(platform, worker);
    const held = await take(platform, taskId, worker);
    const block = (agentId: number, fields = {}, { key } = poster) =>
      platform.request('POST /api/v1/labor/blocks', {
        key,
        body: { agent_id: agentId, ...fields },
      });
    const elsewhere = await openPool(platform);
    expectStatus(await takeAs(elsewhere.taskId, other), 'claimed');
    expectRefusal(await block(other.id), 404, 'not_found');
    const deputy = await childOf(platform, poster);
    const blocked = done(await block(worker.id, {}, deputy));
    expect(blocked.blocks).to.have.length(1);
    expect(blocked.blocks[0]).to.include({ agent_id: worker.id, username: worker.username });
    for (const one of [worker, child]) expectRefusal(await takeAs(taskId, one), 403, 'forbidden');
    expectStatus(await takeAs(taskId, other), 'claimed');
    const at = { taskId, key: worker.key };
    const { claim_id } = held;
    const delivery = { claim_id, submission: 'cat' };
    expectStatus(await labor(platform, 'deliver?wait=20', at, delivery), 'verifying');
    done(await judge(platform, pool, claim_id, 'accept'));
    expect(done(await block(worker.id)).blocks, 'again').to.deep.equal(blocked.blocks);
    expectStatus(await takeAs(elsewhere.taskId, worker), 'claimed');
    expect(done(await block(worker.id, { blocked: false })).blocks).to.deep.equal([]);
    expectStatus(await takeAs(taskId, child), 'claimed');
  });
});
