import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { checkGoods } from '../../shared/domains/orders/goods/check_goods.ts';
import type { Tx } from '../../shared/kernel/tx.ts';
import { transact } from '../../shared/platform/database.ts';
import { childOf } from '../agents/child.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { inboxOf } from '../inbox/waiting.ts';
import { act, openDeal, type Deal } from './deal.ts';
import { buy, eventsOf, fallDue, runTimer } from './trade.ts';

const HOUR_MS = 3_600_000;
const SCHEMA = {
  type: 'object',
  required: ['login', 'password'],
  properties: { password: { type: 'string', minLength: 8 } },
};
const GOOD = { login: 'ada', password: 'long enough' };

describe('checks of goods', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const set = (key: string, productId: number, body: object) =>
    platform.request(`PUT /api/v1/orders/goods-checks/${productId}`, { key, body });
  const check = async ({ buyer, productId }: Deal, body: object) => {
    const { status, text } = await set(buyer.key, productId, { enabled: true, ...body });
    expect(status, text).to.equal(200);
  };
  const verdicts = async (key: string, query = '') =>
    (await platform.request(`GET /api/v1/orders/goods-verdicts${query}`, { key })).body;
  const open = async ({ buyer, orderId }: Pick<Deal, 'buyer' | 'orderId'>) =>
    expect((await act(platform, 'get_vault_item', { orderId, key: buyer.key })).status).to.equal(
      200,
    );
  /** Opens the vault; the verdict on it. */
  const judge = async (deal: Pick<Deal, 'buyer' | 'orderId'>) => {
    await open(deal);
    const { goods_verdicts } = await eventually(
      () => verdicts(deal.buyer.key, `?order_id=${deal.orderId}`),
      ({ count }) => count === 1,
    );
    return goods_verdicts[0];
  };
  const orderOf = async ({ orderId }: Pick<Deal, 'orderId'>) =>
    (
      await platform.query(
        `select status, release_at, revealed_at, extract(epoch from
           release_at - (select checked_at from goods_verdict where order_id = id))::float8 / 3600
           as hours from orders where id = $1`,
        [orderId],
      )
    )[0];
  /** Waits until the jobs of the calls of this platform are over. */
  const settled = () =>
    eventually(
      () => platform.query(`select from job where status = 'pending'`),
      (jobs) => jobs.length === 0,
    );

  it('pay the seller of what opens and passes, once, and tell the buyer', async () => {
    const deal = await openDeal(platform, { items: [GOOD], units: 1 });
    const { seller, buyer, orderId, productId } = deal;
    await check(deal, { json_schema: SCHEMA, amount_max: 1.1 });
    const before = await platform.balance(seller);
    await runTimer(platform, 'release_due_orders');
    expect((await orderOf(deal)).status).to.equal('escrow');

    const verdict = await judge(deal);
    expect(verdict).to.deep.include({
      order_id: orderId,
      product_id: productId,
      buyer_id: buyer.id,
      passes: true,
      confirms: true,
      failures: [],
    });
    expect(await platform.balance(seller)).to.equal(before);
    await Promise.all([1, 2].map(() => runTimer(platform, 'release_due_orders')));
    expect((await orderOf(deal)).status).to.equal('completed');
    expect(await platform.balance(seller)).to.equal(before + 1);
    await open(deal);
    await settled();
    expect((await eventsOf(platform, buyer)).filter((type) => /goods/.test(type))).to.have.length(
      1,
    );
    expect((await eventsOf(platform, seller)).join()).not.to.include('goods');
  });

  it('leave the release of what fails as it is, and say which part failed', async () => {
    const deal = await openDeal(platform, { items: [{ login: 'ada', password: 'short' }] });
    await check(deal, { json_schema: SCHEMA });
    const { passes, confirms, failures } = await judge(deal);
    expect([passes, confirms]).to.deep.equal([false, false]);
    expect(failures).to.deep.equal([
      { untrusted: true, content: '/password must NOT have fewer than 8 characters' },
    ]);
    const { events } = (
      await platform.request('GET /api/v1/events?type=order.goods_failed', { key: deal.buyer.key })
    ).body;
    expect(events[0].data).to.deep.equal({ order_id: deal.orderId });
    const { release_at, revealed_at } = await orderOf(deal);
    expect((release_at - revealed_at) / HOUR_MS).to.be.greaterThan(70);
    await runTimer(platform, 'release_due_orders');
    expect((await orderOf(deal)).status).to.equal('escrow');
    const dispute = { orderId: deal.orderId, key: deal.buyer.key };
    expect((await act(platform, 'dispute_order', dispute)).status).to.equal(200);
  });

  it('judge every item by a pattern, also where one content is sold to all', async () => {
    const mixed = await openDeal(platform, { items: ['KEY-1', 'key?', 'KEY-2'], units: 3 });
    await check(mixed, { pattern: '^KEY-[0-9]+$', amount_max: 9 });
    expect(await judge(mixed)).to.deep.include({ passes: false });

    const shared = await openDeal(platform, { stock_kind: 'unlimited', content: 'KEY-7' });
    await check(shared, { pattern: '^KEY-[0-9]+$', amount_max: 9, hours: 5 });
    expect(await judge(shared)).to.deep.include({ passes: true, confirms: true });
    expect((await orderOf(shared)).hours).to.equal(5);
  });

  it('bring no release forward of what is dearer, disputed, or due before', async () => {
    const dear = await openDeal(platform, { items: ['a'] });
    await check(dear, { pattern: 'a', amount_max: 1.099999 });
    expect(await judge(dear)).to.deep.include({ passes: true, confirms: false });
    expect((await orderOf(dear)).hours).to.be.greaterThan(70);

    const due = await openDeal(platform, { items: ['a'] });
    await check(due, { pattern: 'a', amount_max: 9, hours: 72 });
    await platform.query(`update orders set release_at = now() + interval '1 hour' where id = $1`, [
      due.orderId,
    ]);
    expect(await judge(due)).to.deep.include({ confirms: true });
    expect((await orderOf(due)).hours).to.be.lessThan(1.1);

    // A check that passed confirms nothing that is disputed by then.
    const bad = await openDeal(platform, { items: ['a'] });
    await check(bad, { pattern: 'a', amount_max: 9, hours: 1 });
    await judge(bad);
    await act(platform, 'dispute_order', { orderId: bad.orderId, key: bad.buyer.key });
    await fallDue(platform, bad.orderId);
    await runTimer(platform, 'release_due_orders');
    expect((await orderOf(bad)).status).to.equal('disputed');
  });

  it('keep a rule for small orders from paying for what fails, and for nothing else', async () => {
    const rule = { enabled: true, amount_max: 9, hours: 5 };
    const hoursOf = async (deal: Deal) => {
      const { release_at, revealed_at } = await orderOf(deal);
      return (release_at - revealed_at) / HOUR_MS;
    };
    const dealOf = async (body: object) => {
      const deal = await openDeal(platform, { items: ['a'] });
      await check(deal, body);
      await platform.request('PUT /api/v1/orders/confirm-rule', {
        key: deal.buyer.key,
        body: rule,
      });
      return deal;
    };
    const bad = await dealOf({ pattern: 'z' });
    expect(await judge(bad)).to.deep.include({ passes: false });
    expect(await hoursOf(bad)).to.be.greaterThan(71);

    // The check confirms no order as dear as this one, so the rule does.
    const dear = await dealOf({ pattern: 'a', amount_max: 0.5 });
    expect(await judge(dear)).to.deep.include({ passes: true, confirms: false });
    expect(await hoursOf(dear)).to.equal(5);

    const ended = await dealOf({ pattern: 'z' });
    await platform.query(`update orders set revealed_at = now() where id = $1`, [ended.orderId]);
    await set(ended.buyer.key, ended.productId, { enabled: false });
    await transact(platform.context.database, (db) =>
      checkGoods.handle({ db } as Tx, { order_id: ended.orderId }, undefined),
    );
    expect(await hoursOf(ended)).to.equal(5);
  });

  it('put what failed into the inbox of the owner, until it is disputed or paid', async () => {
    const deal = await openDeal(platform, { stock_kind: 'unlimited', content: 'a' });
    const { buyer, productId } = deal;
    await platform.fund(buyer.id, 5);
    await check(deal, { pattern: 'z' });
    const child = { ...(await childOf(platform, buyer)), username: '' };
    const orderId = await buy(platform, child, { id: productId });
    await judge({ buyer: child, orderId });
    const waiting = async ({ key }: { key: string }) =>
      (await inboxOf(platform, { key })).inbox.filter(({ kind }) => kind === 'goods_to_dispute');
    const [item] = await waiting(buyer);
    expect(item).to.deep.include({ id: orderId, amount: 1.1 });
    expect(item!.deadline).not.to.equal(null);
    expect(item!.calls.map(({ tool }) => tool)).to.deep.equal(['get_order', 'dispute_order']);
    for (const other of [child, deal.seller, await platform.agent()]) {
      expect(await waiting(other)).to.deep.equal([]);
    }
    await act(platform, 'dispute_order', { orderId, key: buyer.key });
    expect(await waiting(buyer)).to.deep.equal([]);
  });

  it('judge nothing that was disputed while it waited, or whose check was deleted', async () => {
    for (const meanwhile of ['dispute', 'delete', 'change'] as const) {
      const deal = await openDeal(platform, { items: ['a'] });
      const { buyer, orderId, productId } = deal;
      await check(deal, { pattern: 'a', amount_max: 9 });
      await platform.query(`update orders set revealed_at = now() where id = $1`, [orderId]);
      if (meanwhile === 'dispute') {
        await act(platform, 'dispute_order', { orderId, key: buyer.key });
      }
      if (meanwhile === 'delete') await set(buyer.key, productId, { enabled: false });
      if (meanwhile === 'change') await check(deal, { pattern: 'b' });
      const judged = {
        check: { assertions: [{ op: 'regex' as const, value: 'a' }] },
        failures: [],
      };
      const outcome = await transact(platform.context.database, (db) =>
        checkGoods.handle({ db } as Tx, { order_id: orderId }, judged),
      );
      expect(outcome, meanwhile).to.deep.equal({ outcome: 'none' });
      expect((await verdicts(buyer.key)).count).to.equal(0);
    }
  });

  it('are of the tree of the buyer alone, whose agents below are judged too', async () => {
    const deal = await openDeal(platform, { stock_kind: 'unlimited', content: 'a' });
    const outsider = await platform.agent({ usd: 5 });
    await set(outsider.key, deal.productId, { enabled: true, pattern: 'z', amount_max: 9 });
    await open(deal);
    await settled();
    expect((await verdicts(deal.buyer.key)).count).to.equal(0);
    expect((await orderOf(deal)).status).to.equal('escrow');

    await check(deal, { pattern: 'a', amount_max: 9 });
    const child = await childOf(platform, deal.buyer);
    await platform.fund(deal.buyer.id, 5);
    const orderId = await buy(platform, child, { id: deal.productId });
    expect(await judge({ buyer: { ...child, username: '' }, orderId })).to.deep.include({
      passes: true,
    });
    expect((await verdicts(deal.buyer.key)).count).to.equal(0);
    expect((await verdicts(deal.buyer.key, '?below=true')).count).to.equal(1);
    expect((await verdicts(outsider.key, `?order_id=${orderId}`)).count).to.equal(0);
    expect((await verdicts(deal.seller.key, `?order_id=${orderId}`)).count).to.equal(0);
  });
});
