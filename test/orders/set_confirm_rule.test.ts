import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { act, openDeal } from './deal.ts';
import { buy, runTimer } from './trade.ts';

const HOUR_MS = 3_600_000;

describe('set_confirm_rule', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const set = (key: string, body: object) =>
    platform.request('PUT /api/v1/orders/confirm-rule', { key, body });
  const get = async (key: string) =>
    (await platform.request('GET /api/v1/orders/confirm-rule', { key })).body;
  const open = (key: string, orderId: number) => act(platform, 'get_vault_item', { orderId, key });
  /** Hours from the first opening to the payment of the seller. */
  const hoursOf = async (orderId: number) => {
    const [{ revealed_at: from, release_at: to }] = await platform.query(
      'select revealed_at, release_at from orders where id = $1',
      [orderId],
    );
    return (to - from) / HOUR_MS;
  };
  const goods = { stock_kind: 'unlimited', content: 'open' };

  it('is off at first, and keeps what a call leaves out', async () => {
    const { key } = await platform.agent();
    expect(await get(key)).to.deep.equal({ enabled: false, amount_max: 1, hours: 24 });
    const first = await set(key, { enabled: true, amount_max: 2.5 });
    expect(first.body).to.deep.equal({ enabled: true, amount_max: 2.5, hours: 24 });
    await set(key, { enabled: true, hours: 6 });
    await set(key, { enabled: false });
    expect(await get(key)).to.deep.equal({ enabled: false, amount_max: 2.5, hours: 6 });
  });

  it('pays the seller so long after the first opening, for every agent of the tree', async () => {
    const { seller, buyer, productId, orderId } = await openDeal(platform, goods);
    await platform.fund(buyer.id, 5);
    const child = await childOf(platform, buyer);
    const below = await buy(platform, child, { id: productId });
    await set(buyer.key, { enabled: true, amount_max: 1.1, hours: 5 });
    const before = await platform.balance(seller);
    await open(buyer.key, orderId);
    await open(child.key, below);
    expect([await hoursOf(orderId), await hoursOf(below)]).to.deep.equal([5, 5]);
    const { body } = await platform.request(`GET /api/v1/orders/${orderId}`, { key: buyer.key });
    expect(Date.parse(body.release_at) - Date.parse(body.revealed_at)).to.equal(5 * HOUR_MS);
    await runTimer(platform, 'release_due_orders');
    expect(await platform.balance(seller)).to.equal(before);

    // A later opening is not the first, and a later rule not that of this opening.
    await set(buyer.key, { enabled: true, hours: 1 });
    await open(buyer.key, orderId);
    expect(await hoursOf(orderId)).to.equal(5);

    await platform.query(
      `update orders set release_at = now() - interval '1 second' where id = $1`,
      [orderId],
    );
    await runTimer(platform, 'release_due_orders');
    expect(await platform.balance(seller)).to.equal(before + 1);
  });

  it('leaves alone what is dearer, not opened, disputed, of another tree, or due before', async () => {
    const dear = await openDeal(platform, goods);
    await set(dear.buyer.key, { enabled: true, amount_max: 1.099999, hours: 1 });
    await open(dear.buyer.key, dear.orderId);
    expect(await hoursOf(dear.orderId)).to.be.greaterThan(70);

    const other = await openDeal(platform, goods);
    await open(other.buyer.key, other.orderId);
    expect(await hoursOf(other.orderId)).to.be.greaterThan(70);

    const off = await openDeal(platform, goods);
    await set(off.buyer.key, { enabled: false, amount_max: 9, hours: 1 });
    await open(off.buyer.key, off.orderId);
    expect(await hoursOf(off.orderId)).to.be.greaterThan(70);

    const due = await openDeal(platform, goods);
    await set(due.buyer.key, { enabled: true, amount_max: 9, hours: 72 });
    const releaseAt = async () =>
      (await platform.query('select release_at from orders where id = $1', [due.orderId]))[0];
    const before = await releaseAt();
    await open(due.buyer.key, due.orderId);
    expect(await releaseAt()).to.deep.equal(before);

    const bad = await openDeal(platform, goods);
    await set(bad.buyer.key, { enabled: true, amount_max: 9, hours: 1 });
    await open(bad.buyer.key, bad.orderId);
    await act(platform, 'dispute_order', { orderId: bad.orderId, key: bad.buyer.key });
    await platform.query(
      `update orders set release_at = now() - interval '1 second' where id = $1`,
      [bad.orderId],
    );
    await runTimer(platform, 'release_due_orders');
    const [{ status }] = await platform.query('select status from orders where id = $1', [
      bad.orderId,
    ]);
    expect(status).to.equal('disputed');
  });

  it('is for the root of the tree alone, and within its bounds', async () => {
    const root = await platform.agent({ usd: 1 });
    const child = await childOf(platform, root);
    expect((await set(child.key, { enabled: true })).body.error).to.equal('forbidden');
    for (const body of [{}, { enabled: true, hours: 0 }, { enabled: true, hours: 73 }]) {
      expect((await set(root.key, body)).body.error).to.equal('validation_error');
    }
    expect((await set(root.key, { enabled: true, amount_max: 0 })).status).to.equal(422);
    expect(await get(root.key)).to.include({ enabled: false });
  });

  it('holds all of what calls at once have set', async () => {
    const { key } = await platform.agent();
    await Promise.all([
      set(key, { enabled: true, amount_max: 3 }),
      set(key, { enabled: true, hours: 7 }),
    ]);
    expect(await get(key)).to.deep.equal({ enabled: true, amount_max: 3, hours: 7 });
  });
});
