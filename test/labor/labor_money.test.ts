import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { OPERATOR_TOKEN } from '../access/scene.ts';
import { TestPlatform } from '../harness.ts';
import { expectRefusal } from '../orders/deal.ts';
import { runTimer, runSweep } from '../orders/trade.ts';
import { done } from '../tasks/board.ts';
import { claimsAs, claimsFallDue, deliver, expectStatus, judge, knownTo, labor } from './pool.ts';
import {
  laborAs,
  newsOfLabor,
  openPool,
  postLabor,
  take,
  unitsOf,
  walletOf,
  work,
} from './pool.ts';

describe('the money of labor', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const hoursTo = (time: string) => (Date.parse(time) - Date.now()) / 3_600_000;

  it('is in escrow from the start, is paid for what is accepted, and the rest comes back', async () => {
    const pool = await openPool(platform, { units: unitsOf('a', 'b', 'c'), reward: 0.1 });
    const { poster, taskId } = pool;
    const worker = await platform.agent();
    expect(await walletOf(platform, poster)).to.deep.equal([5, 0.2, 0.3]);
    const taken = await take(platform, taskId, worker);
    expect(taken.payload).to.deep.equal({ untrusted: true, content: 'a' });
    expectStatus(await deliver(platform, { taskId, ...worker }, taken.claim_id), 'verifying');
    const judged = done(await judge(platform, pool, taken.claim_id, 'accept'));
    expect(judged).to.include({ status: 'accepted', judged_by: 'poster', paid: 0.1 });
    expect(await walletOf(platform, worker)).to.deep.equal([0, 0.6, 0]);
    const cancelled = done(await labor(platform, 'cancel', { taskId, key: poster.key }));
    expect(cancelled).to.include({ status: 'cancelled', accepted: 1, paid: 0.1, units_open: 0 });
    expect(await walletOf(platform, poster)).to.deep.equal([5, 0.4, 0]);
    const { body } = await platform.request('GET /api/v1/wallet', { key: poster.key });
    expect(body.daily_spend).to.equal(0.1);
    expect(await newsOfLabor(platform, poster)).to.deep.equal([
      'labor.posted',
      'labor.delivered',
      'labor.cancelled',
    ]);
    expect(await newsOfLabor(platform, worker)).to.deep.equal(['labor.accepted']);
  });

  it('of many escrows is credit first, and credit stays credit', async () => {
    const payloads = Array.from({ length: 101 }, (_, n) => `unit ${n}`);
    const { poster, taskId } = await openPool(platform, { units: unitsOf(...payloads) });
    expect(await walletOf(platform, poster)).to.deep.equal([4.49, 0, 1.01]);
    const worker = await platform.agent();
    const { claim_id } = await take(platform, taskId, worker);
    await deliver(platform, { taskId, ...worker }, claim_id);
    await judge(platform, { poster, taskId }, claim_id, 'accept');
    expect(await walletOf(platform, worker)).to.deep.equal([0, 0.51, 0]);
    await labor(platform, 'cancel', { taskId, key: poster.key });
    expect(await walletOf(platform, poster)).to.deep.equal([5, 0.49, 0]);
  });

  it('is not taken where the wallet does not hold it, nor for what is no task', async () => {
    const poor = await platform.agent();
    const { key } = poor;
    const post = (fields: object) => postLabor(platform, { key }, fields);
    expectRefusal(await post({ reward: 0.2501 }), 402, 'insufficient_balance');
    for (const wrong of [
      { reward: 0.0009 },
      { units: [] },
      { units: unitsOf(' ') },
      { overlap: 11 },
      { verification: 'consensus', overlap: 1 },
      { max_overlap: 2 },
      { verification: 'consensus', overlap: 3, max_overlap: 2 },
      { reward: 500_000.01 },
      { verification: 'gold' },
      { similarity: 0.9 },
      { due_at: '2020-01-01T00:00:00Z' },
    ]) {
      expectRefusal(await post(wrong), 422, 'validation_error');
    }
    expect(await walletOf(platform, poor)).to.deep.equal([0, 0.5, 0]);
  });

  it('is held by one tree for fifty units at a time, also by its children and at once', async () => {
    const units = unitsOf(...Array.from({ length: 60 }, (_, n) => `unit ${n}`));
    const pool = await openPool(platform, { units, reward: 0.01 });
    const { taskId } = pool;
    const root = await platform.agent();
    await knownTo(platform, pool, root);
    const child = await childOf(platform, root);
    const takes = Array.from({ length: 56 }, (_, n) =>
      labor(platform, 'take', { taskId, key: n % 2 === 0 ? root.key : child.key }),
    );
    const replies = await Promise.all(takes);
    expect(replies.filter(({ status }) => status === 200)).to.have.length(50);
    const refused = replies.filter(({ status }) => status !== 200);
    for (const reply of refused) expectRefusal(reply, 409, 'invalid_transition');
    expect(refused[0]!.body.details).to.deep.equal({
      limited_by: 'units_held',
      limit: 50,
      used: 50,
      resets_at: null,
    });
    const { claim_id } = replies.find(({ status }, n) => status === 200 && n % 2 === 0)!.body;
    done(await labor(platform, 'release', { taskId, key: root.key }, { claim_id }));
    expect(await take(platform, taskId, child)).to.include({ status: 'claimed' });
    expect(await take(platform, taskId, await platform.agent())).to.include({ status: 'claimed' });
  });

  it('is not taken from a task that is past due, before anybody has closed it', async () => {
    const { taskId } = await openPool(platform);
    await platform.query(
      `update labor_task set due_at = now() - interval '1 s' where id = ${taskId}`,
    );
    const late = await labor(platform, 'take', { taskId, key: (await platform.agent()).key });
    expect(late.status, late.text).to.be.within(400, 499);
    expect(await runSweep(platform, 'expire_labor_tasks')).to.deep.equal({ expired: 1, failed: 0 });
  });

  it('comes back when a task is due, once what is held of it is delivered and judged', async () => {
    const { poster, taskId } = await openPool(platform, { reward: 0.1 });
    const worker = await platform.agent();
    const held = await take(platform, taskId, worker);
    done(await labor(platform, 'pause', { taskId, key: poster.key }));
    const due = `update labor_task set due_at = now() - interval '1 s' where id = ${taskId}`;
    await platform.query(due);
    expect(await runSweep(platform, 'expire_labor_tasks')).to.deep.equal({ expired: 1, failed: 0 });
    expect(await laborAs(platform, poster, taskId)).to.include({
      status: 'expired',
      closed_at: null,
    });
    expectRefusal(
      await labor(platform, 'take', { taskId, key: worker.key }),
      409,
      'invalid_transition',
    );
    expectStatus(await deliver(platform, { taskId, ...worker }, held.claim_id), 'verifying');
    await claimsFallDue(platform, held.claim_id);
    expect(await runSweep(platform, 'settle_due_labor')).to.deep.equal({ settled: 1, failed: 0 });
    const [claim] = await claimsAs(platform, worker, taskId);
    expect(claim).to.include({ status: 'accepted', judged_by: 'timeout', paid: 0.1 });
    expect(await walletOf(platform, worker)).to.deep.equal([0, 0.6, 0]);
    expect(await walletOf(platform, poster)).to.deep.equal([5, 0.4, 0]);
  });

  it('completes a task when its last delivery is accepted', async () => {
    const pool = await openPool(platform, { overlap: 2, reward: 0.1 });
    const { poster, taskId } = pool;
    const [one, two] = [await platform.agent(), await platform.agent()];
    for (const worker of [one, two, one, two]) {
      expect((await laborAs(platform, poster, taskId)).status).to.equal('open');
      const { claim_id } = await work(platform, taskId, worker);
      done(await judge(platform, pool, claim_id, 'accept'));
    }
    expect(await laborAs(platform, poster, taskId)).to.include({
      status: 'completed',
      accepted: 4,
      paid: 0.4,
    });
    expect(await walletOf(platform, poster)).to.deep.equal([5, 0.1, 0]);
  });

  it('goes to nobody of the tree that posted it', async () => {
    const { poster, taskId } = await openPool(platform);
    const child = await childOf(platform, poster);
    for (const { key } of [poster, child]) {
      expectRefusal(await labor(platform, 'take', { taskId, key }), 403, 'forbidden');
    }
  });

  it('waits for an appeal against a rejection, and others get the unit when there is none', async () => {
    const pool = await openPool(platform, { units: unitsOf('only'), reward: 0.1 });
    const { taskId } = pool;
    const [worker, other] = [await platform.agent(), await platform.agent()];
    const { claim_id, accepted_at } = await work(platform, taskId, worker);
    expect(hoursTo(accepted_at)).to.be.within(71, 72);
    const { appeal_by } = done(await judge(platform, pool, claim_id, 'reject'));
    expect(hoursTo(appeal_by)).to.be.within(23, 24);
    const taking = () => labor(platform, 'take', { taskId, key: other.key });
    expectRefusal(await taking(), 409, 'invalid_transition');
    await claimsFallDue(platform, claim_id);
    const at = { taskId, key: worker.key };
    const late = await labor(platform, 'appeal', at, { claim_id, reason: 'It is.' });
    expectRefusal(late, 409, 'invalid_transition');
    await runTimer(platform, 'settle_due_labor');
    const again = done(await taking());
    done(await deliver(platform, { taskId, ...other }, again.claim_id));
    done(await judge(platform, pool, again.claim_id, 'accept'));
    expect(await walletOf(platform, worker)).to.deep.equal([0, 0.5, 0]);
    expect(await walletOf(platform, other)).to.deep.equal([0, 0.6, 0]);
    expect((await laborAs(platform, other, taskId)).status).to.equal('completed');
  });

  it('of an appeal against the poster is given by an operator, once', async () => {
    for (const verdict of ['accept', 'reject'] as const) {
      const pool = await openPool(platform, { units: unitsOf('only'), reward: 0.1 });
      const { taskId } = pool;
      const worker = await platform.agent();
      const { claim_id } = await work(platform, taskId, worker);
      done(await judge(platform, pool, claim_id, 'reject'));
      const at = { taskId, key: worker.key };
      const appeal = () => labor(platform, 'appeal', at, { claim_id, reason: 'It is a cat.' });
      expectStatus(await appeal(), 'appealed');
      // No time decides it.
      await claimsFallDue(platform, claim_id);
      await runTimer(platform, 'settle_due_labor');
      expect((await claimsAs(platform, worker, taskId))[0]).to.include({ status: 'appealed' });
      expectRefusal(await judge(platform, pool, claim_id, 'reject'), 409, 'invalid_transition');
      const listed = await platform.request('GET /api/v1/admin/disputes/labor', {
        key: OPERATOR_TOKEN,
      });
      expect(listed.body.appeals[0]).to.include({
        claim_id,
        worker_id: worker.id,
        worker_username: worker.username,
      });
      const decided = await platform.request(
        `POST /api/v1/admin/disputes/labor/${claim_id}/verdict`,
        { key: OPERATOR_TOKEN, body: { verdict, note: 'I looked at it.' } },
      );
      expect(done(decided)).to.include({ judged_by: 'operator', is_final: true });
      expectRefusal(await appeal(), 409, 'invalid_transition');
      const earned = verdict === 'accept' ? 0.1 : 0;
      expect(await walletOf(platform, worker)).to.deep.equal([0, 0.5 + earned, 0]);
    }
  });
});
