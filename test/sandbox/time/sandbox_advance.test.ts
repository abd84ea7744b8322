import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { openScene } from '../../approvals/scene.ts';
import { claimsAs, laborAs, openPool, take, work } from '../../labor/pool.ts';
import { TestPlatform } from '../../harness.ts';
import { openSandbox } from './open_sandbox.ts';
import { buy, eventsOf, meet } from '../../orders/trade.ts';
import { act, done, hire, openJob, submit } from '../../tasks/board.ts';

const ROUTE = 'POST /api/v1/sandbox/advance';

describe('sandbox_advance', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await openSandbox();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const advance = ({ key }: { key: string }, body: object) =>
    platform.request(ROUTE, { key, body });
  const advanced = async (who: { key: string }, kind: string, object_id: number, hours: number) =>
    done(await advance(who, { kind, object_id, hours }));

  it('releases an order when its 72 hours have passed, and no other', async () => {
    const goods = { price: 1, stock_kind: 'unlimited', content: 'It.' };
    const { seller, buyer, product } = await meet(platform, goods);
    const id = await buy(platform, buyer, product);
    const other = await buy(platform, buyer, product);
    const first = await advanced(buyer, 'order', id, 71);
    expect(first).to.deep.include({ hours_passed: 71, happened: [], status: 'escrow' });
    expect(first.next.deadline).to.equal('release_at');
    expect(first.next.in_hours).to.be.within(0.9, 1);
    const second = await advanced(seller, 'order', id, 1);
    expect(second.happened).to.deep.equal([
      { after_hours: second.happened[0].after_hours, deadline: 'release_at', status: 'completed' },
    ]);
    expect(second).to.deep.include({ status: 'completed', hours_passed: 1, next: null });
    expect(await platform.balance(seller)).to.equal(1.5);
    expect(await eventsOf(platform, seller)).to.include('order.completed');
    const { body } = await platform.request(`GET /api/v1/orders/${other}`, buyer);
    expect(body.status).to.equal('escrow');
    expect(new Date(body.release_at).getTime()).to.be.greaterThan(Date.now() + 71 * 3_600_000);
  });

  it('lets deadlines come in their order: an unanswered dispute is refunded', async () => {
    const { seller, buyer, product } = await meet(platform, { price: 1 });
    const order = await buy(platform, buyer, product);
    const before = await platform.balance(buyer);
    const body = { reason: 'It is empty.' };
    done(await platform.request(`POST /api/v1/orders/${order}/dispute`, { ...buyer, body }));
    const { happened, status } = await advanced(seller, 'order', order, 400);
    expect(happened.map((one: { deadline: string }) => one.deadline)).to.deep.equal(['respond_by']);
    expect(happened[0].after_hours).to.be.within(47.9, 48.1);
    expect(status).to.equal('refunded');
    expect(await platform.balance(buyer)).to.be.closeTo(before + 1.1, 1e-9);
  });

  it('moves no time of what waits for nothing', async () => {
    const { seller, buyer, product } = await meet(platform, { price: 1 });
    const order = await buy(platform, buyer, product);
    const about = { ...buyer, body: { reason: 'It is empty.' } };
    done(await platform.request(`POST /api/v1/orders/${order}/dispute`, about));
    const answer = { ...seller, body: { response: 'It is not.' } };
    done(await platform.request(`POST /api/v1/orders/${order}/dispute/respond`, answer));
    for (let n = 0; n < 3; n += 1) await advanced(buyer, 'order', order, 8_760);
    const [{ is_before }] = await platform.query(
      `select release_at < created_at - interval '1 year' as is_before from orders where id = $1`,
      [order],
    );
    expect(is_before).to.equal(false);
    expect(await advanced(buyer, 'order', order, 8_760)).to.include({ status: 'disputed' });
  });

  it('approves work that was not judged in time, and ends tasks that nobody took', async () => {
    const job = await openJob(platform);
    await hire(platform, job);
    done(await submit(platform, { taskId: job.taskId, ...job.worker }));
    const { happened } = await advanced(job.poster, 'task', job.taskId, 1_000);
    expect(happened).to.have.length(1);
    expect(happened[0]).to.include({ deadline: 'review_deadline', status: 'approved' });
    expect(await platform.balance(job.worker)).to.be.greaterThan(0.5);

    const { poster, taskId } = await openJob(platform);
    expect((await advanced(poster, 'task', taskId, 8_760)).status).to.equal('expired');
  });

  it('makes a rejection final after the days to dispute it', async () => {
    const job = await openJob(platform);
    await hire(platform, job);
    done(await submit(platform, { taskId: job.taskId, ...job.worker }));
    const rejection = { taskId: job.taskId, key: job.poster.key };
    done(await act(platform, 'reject', rejection, { reason: 'It is no sea.' }));
    const { happened } = await advanced(job.worker, 'task', job.taskId, 8_000);
    expect(happened.at(-1)).to.include({ deadline: 'dispute_by', status: 'refunded' });
  });

  it('ends leases, accepts deliveries and ends a labor task', async () => {
    const pool = await openPool(platform, { auto_accept_hours: 5, verification: 'manual' });
    const [worker, idle] = [await platform.agent(), await platform.agent()];
    await work(platform, pool.taskId, worker, 'cat');
    await take(platform, pool.taskId, idle);
    const { happened, status } = await advanced(pool.poster, 'labor_task', pool.taskId, 8_760);
    expect(happened.length).to.be.greaterThan(1);
    expect(['expired', 'completed']).to.include(status);
    const [claim] = await claimsAs(platform, worker, pool.taskId);
    expect(claim).to.include({ status: 'accepted' });
    expect((await laborAs(platform, pool.poster, pool.taskId)).status).to.equal(status);
  });

  it('expires a call that waits for its owner', async () => {
    const scene = await openScene(platform);
    const { root, child } = await scene.family();
    const asked = await scene.ask(child, 'purchase');
    const { happened, status } = await advanced(root, 'approval', asked.approval_id, 1_000);
    expect(status).to.equal('expired');
    expect(happened.at(-1)).to.include({ deadline: 'expires_at', status: 'expired' });
    expect(await platform.balance(root)).to.equal(5);
  });

  describe('refuses, with everything as it was,', () => {
    for (const [what, body, code] of [
      ['hours back', { hours: -1 }, 'validation_error'],
      ['more than a year', { hours: 8_761 }, 'validation_error'],
      ['an unknown kind', { kind: 'proxy' }, 'validation_error'],
      ['an order of nobody', { object_id: 1_000_000 }, 'not_found'],
      ['another kind with that id', { kind: 'withdrawal' }, 'not_found'],
    ] as const) {
      it(what, async () => {
        const { buyer, product } = await meet(platform, { price: 1 });
        const id = await buy(platform, buyer, product);
        const reply = await advance(buyer, { kind: 'order', object_id: id, hours: 100, ...body });
        expect(reply.body.error).to.equal(code);
        const { body: order } = await platform.request(`GET /api/v1/orders/${id}`, buyer);
        expect(order.status).to.equal('escrow');
      });
    }

    it('a key that may only read', async () => {
      const { buyer, product } = await meet(platform, { price: 1 });
      const object_id = await buy(platform, buyer, product);
      const key = await platform.keyOf(buyer, ['read']);
      const reply = await advance({ key }, { kind: 'order', object_id, hours: 100 });
      expect([reply.status, reply.body.error]).to.deep.equal([403, 'insufficient_scope']);
    });

    it('whoever is no party', async () => {
      const { buyer, product } = await meet(platform, { price: 1 });
      const object_id = await buy(platform, buyer, product);
      const outsider = await platform.agent();
      const reply = await advance(outsider, { kind: 'order', object_id, hours: 100 });
      expect([reply.status, reply.body.error]).to.deep.equal([404, 'not_found']);
    });

    it('everybody, where money may be real', async () => {
      const other = await TestPlatform.open();
      const { buyer, product } = await meet(other, { price: 1 });
      const object_id = await buy(other, buyer, product);
      const body = { kind: 'order', object_id, hours: 100 };
      const { status, body: answer } = await other.request(ROUTE, { key: buyer.key, body });
      expect([status, answer.error]).to.deep.equal([403, 'forbidden']);
      const [{ is_moved }] = await other.query('select release_at < now() as is_moved from orders');
      expect(is_moved).to.equal(false);
      await other.close();
    });
  });

  it('settles once, however many advance and confirm at once', async () => {
    const { seller, buyer, product } = await meet(platform, { price: 1 });
    const id = await buy(platform, buyer, product);
    const body = { kind: 'order', object_id: id, hours: 72 };
    const confirm = () => platform.request(`POST /api/v1/orders/${id}/confirm`, buyer);
    const calls = [0, 1, 2, 3].flatMap(() => [
      advance(buyer, body),
      confirm(),
      advance(seller, body),
    ]);
    for (const { status } of await Promise.all(calls)) expect([200, 409]).to.include(status);
    expect(await platform.balance(seller)).to.equal(1.5);
  });
});
