import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { expectRefusal } from '../orders/deal.ts';
import { runTimer } from '../orders/trade.ts';
import { done } from '../tasks/board.ts';
import { claimsAs, claimsFallDue, deliver, expectStatus, judge, labor, laborAs } from './pool.ts';
import { newsOfLabor, openPool, take, unitsOf, walletOf, work } from './pool.ts';

describe('the leases of labor', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  it('give a unit to one worker, and to another when they end', async () => {
    const { taskId } = await openPool(platform, { units: unitsOf('only') });
    const [slow, quick] = [await platform.agent(), await platform.agent()];
    const late = await take(platform, taskId, slow);
    const taking = () => labor(platform, 'take', { taskId, key: quick.key });
    expectRefusal(await taking(), 409, 'invalid_transition');
    await claimsFallDue(platform, late.claim_id);
    const { claim_id, payload } = done(await taking());
    expect(payload).to.deep.equal(late.payload);
    const stale = await deliver(platform, { taskId, ...slow }, late.claim_id);
    expectRefusal(stale, 409, 'claim_expired');
    expectRefusal(await deliver(platform, { taskId, ...slow }, claim_id), 404, 'not_found');
    expectStatus(await deliver(platform, { taskId, ...quick }, claim_id), 'verifying');
    const twice = await deliver(platform, { taskId, ...quick }, claim_id);
    expectRefusal(twice, 409, 'invalid_transition');
    expect(await newsOfLabor(platform, slow)).to.deep.equal(['labor.expired']);
  });

  it('given back, offer their unit to a tree that has passed it too', async () => {
    const { taskId } = await openPool(platform, { units: unitsOf('first', 'second') });
    const [first, other] = [await platform.agent(), await platform.agent()];
    const { claim_id, payload } = await take(platform, taskId, first);
    await take(platform, taskId, other);
    const again = () => labor(platform, 'take', { taskId, key: other.key });
    expectRefusal(await again(), 409, 'invalid_transition');
    done(await labor(platform, 'release', { taskId, key: first.key }, { claim_id }));
    expect(done(await again()).payload).to.deep.equal(payload);
  });

  it('end before a delivery that comes later, also when nobody has taken the unit', async () => {
    const { taskId } = await openPool(platform);
    const worker = await platform.agent();
    const { claim_id } = await take(platform, taskId, worker);
    await claimsFallDue(platform, claim_id);
    const late = await deliver(platform, { taskId, ...worker }, claim_id);
    expectRefusal(late, 409, 'claim_expired');
    const at = { taskId, key: worker.key };
    expectRefusal(await labor(platform, 'heartbeat', at, { claim_id }), 409, 'claim_expired');
  });

  it('are renewed by a heartbeat, up to eight times their length', async () => {
    const { taskId } = await openPool(platform, { lease_seconds: 100 });
    const worker = await platform.agent();
    const taken = Date.now();
    const { claim_id } = await take(platform, taskId, worker);
    const beat = async () => {
      const { lease_until } = done(
        await labor(platform, 'heartbeat', { taskId, key: worker.key }, { claim_id }),
      );
      // By the clock of PostgreSQL, in whole milliseconds.
      return (Date.parse(lease_until) - taken) / 1_000;
    };
    const age = (seconds: number) =>
      platform.query(
        `update labor_claim set taken_at = taken_at - make_interval(secs => $2) where id = $1`,
        [claim_id, seconds],
      );
    await platform.query(`update labor_claim set due_at = now() + interval '9 s' where id = $1`, [
      claim_id,
    ]);
    const elapsed = () => (Date.now() - taken) / 1_000;
    expect(await beat()).to.be.within(99, 101 + elapsed());
    await age(750);
    expect(await beat(), 'of eight hundred seconds').to.be.within(49, 51 + elapsed());
    const at = { taskId, key: worker.key };
    expectStatus(await deliver(platform, at, claim_id), 'verifying');
    for (const action of ['heartbeat', 'release']) {
      const late = await labor(platform, action, at, { claim_id });
      expectRefusal(late, 409, 'invalid_transition');
      expect(late.body.details.status).to.equal('verifying');
    }
  });

  it('end when the unit is given back, and another worker gets it, who has not had it', async () => {
    const { taskId } = await openPool(platform, { units: unitsOf('only'), overlap: 2 });
    const [first, second] = [await platform.agent(), await platform.agent()];
    const third = await platform.agent();
    await work(platform, taskId, third);
    const { claim_id } = await take(platform, taskId, first);
    const at = { taskId, key: first.key };
    expectStatus(await labor(platform, 'release', at, { claim_id }), 'released');
    expectRefusal(await labor(platform, 'release', at, { claim_id }), 409, 'invalid_transition');
    const [claim] = await claimsAs(platform, { key: at.key }, taskId);
    expect(claim).to.include({ status: 'released', is_final: true, paid: 0 });
    expectRefusal(await deliver(platform, at, claim_id), 409, 'claim_expired');
    const again = await labor(platform, 'take', { taskId, key: third.key });
    expectRefusal(again, 409, 'invalid_transition');
    expect(await take(platform, taskId, second)).to.include({ status: 'claimed' });
  });

  it('go on while a task is paused, which gives out no units until it is resumed', async () => {
    const { poster, taskId } = await openPool(platform);
    const [worker, other] = [await platform.agent(), await platform.agent()];
    const held = await take(platform, taskId, worker);
    const pause = (key: string, body = {}) => labor(platform, 'pause', { taskId, key }, body);
    expectRefusal(await pause(worker.key), 403, 'forbidden');
    expect(done(await pause(poster.key))).to.include({ status: 'paused', units_open: 0 });
    expectStatus(await pause(poster.key), 'paused');
    const taking = () => labor(platform, 'take', { taskId, key: other.key });
    expectRefusal(await taking(), 409, 'invalid_transition');
    const { body } = await platform.request('GET /api/v1/labor', { key: other.key });
    const listed = body.labor_tasks.map(({ task_id }: { task_id: number }) => task_id);
    expect(listed).not.to.include(taskId);
    expectStatus(await deliver(platform, { taskId, ...worker }, held.claim_id), 'verifying');
    done(await judge(platform, { poster, taskId }, held.claim_id, 'accept'));
    expect((await laborAs(platform, poster, taskId)).status).to.equal('paused');
    expectStatus(await pause(poster.key, { paused: false }), 'open');
    expectStatus(await taking(), 'claimed');
    expect(await newsOfLabor(platform, poster)).to.deep.equal([
      'labor.posted',
      'labor.paused',
      'labor.delivered',
      'labor.resumed',
    ]);
    await pause(poster.key);
    expectStatus(await labor(platform, 'cancel', { taskId, key: poster.key }), 'cancelled');
    expectRefusal(await pause(poster.key, { paused: false }), 409, 'invalid_transition');
  });

  it('of a stopped task end by the timer, and its money comes back then', async () => {
    const { poster, taskId } = await openPool(platform);
    const worker = await platform.agent();
    const { claim_id } = await take(platform, taskId, worker);
    const cancel = ({ key }: { key: string }) => labor(platform, 'cancel', { taskId, key });
    expectRefusal(await cancel(worker), 403, 'forbidden');
    const stopped = done(await cancel(poster));
    expect([stopped.status, stopped.closed_at]).to.deep.equal(['cancelled', null]);
    expectRefusal(await cancel(poster), 409, 'invalid_transition');
    await claimsFallDue(platform, claim_id);
    await runTimer(platform, 'settle_due_labor');
    expect(await walletOf(platform, poster)).to.deep.equal([5, 0.5, 0]);
  });

  it('give each worker each unit once, and none beyond its overlap', async () => {
    const { poster, taskId } = await openPool(platform, {
      units: unitsOf('a', 'b', 'c', 'd', 'e'),
      overlap: 2,
    });
    const workers = await Promise.all([1, 2, 3, 4].map(() => platform.agent()));
    const replies = await Promise.all(
      workers.flatMap(({ key }) =>
        [1, 2, 3, 4].map(() => labor(platform, 'take', { taskId, key })),
      ),
    );
    const taken = replies.flatMap(({ status, body }) => (status === 200 ? [body.unit_id] : []));
    // Units that others are taking at the moment are passed over, so some calls may go away empty.
    for (const { key } of [...workers, ...workers, ...workers, ...workers, ...workers]) {
      const { status, body } = await labor(platform, 'take', { taskId, key });
      if (status === 200) taken.push(body.unit_id);
    }
    expect(taken).to.have.length(10);
    const twice = await platform.query(
      `select from labor_claim where task_id = $1 group by unit_id, root_id having count(*) > 1
       union all
       select from labor_claim where task_id = $1 group by unit_id having count(*) > 2`,
      [taskId],
    );
    expect(twice).to.deep.equal([]);
    expect((await laborAs(platform, poster, taskId)).units_open).to.equal(0);
  });

  it('give no agent a unit that another of its tree has had', async () => {
    const { taskId } = await openPool(platform, { units: unitsOf('only'), overlap: 2 });
    const [worker, other] = [await platform.agent(), await platform.agent()];
    const child = await childOf(platform, worker);
    await work(platform, taskId, worker);
    const { claim_id } = await take(platform, taskId, other);
    done(await labor(platform, 'release', { taskId, key: other.key }, { claim_id }));
    const again = await labor(platform, 'take', { taskId, key: child.key });
    expectRefusal(again, 409, 'invalid_transition');
  });

  it('give a worker later what another was taking when its turn came', async () => {
    const units = unitsOf('a', 'b', 'c');
    const { taskId } = await openPool(platform, { units, overlap: 2 });
    const worker = await platform.agent();
    const other = platform.context.database.createQueryRunner();
    await other.startTransaction();
    const lock = `select from labor_unit where task_id = $1 and n = 1 for no key update`;
    await other.query(lock, [taskId]);
    const payloads: string[] = [];
    const next = async () => payloads.push((await take(platform, taskId, worker)).payload.content);
    await next();
    await other.rollbackTransaction();
    await other.release();
    for (const _ of ['a', 'c']) await next();
    expect(payloads).to.deep.equal(['b', 'a', 'c']);
  });

  it('let one of a delivery and the end of its lease happen, whatever comes first', async () => {
    const { poster, taskId } = await openPool(platform, { units: unitsOf('only') });
    const [holder, other] = [await platform.agent(), await platform.agent()];
    for (const key of [holder.key, holder.key, holder.key]) {
      const { claim_id } = await take(platform, taskId, { key });
      await platform.query(
        `update labor_claim set due_at = now() + interval '20 ms' where id = $1`,
        [claim_id],
      );
      const [delivered, taken] = await Promise.all([
        deliver(platform, { taskId, key }, claim_id),
        labor(platform, 'take', { taskId, key: other.key }),
      ]);
      expect(delivered.status === 200 && taken.status === 200).to.equal(false);
      if (delivered.status === 200) {
        done(await judge(platform, { poster, taskId }, claim_id, 'accept'));
        return;
      }
      if (taken.status === 200) {
        const at = { taskId, key: other.key };
        done(await labor(platform, 'release', at, { claim_id: taken.body.claim_id }));
      }
      await runTimer(platform, 'settle_due_labor');
    }
  });
});
