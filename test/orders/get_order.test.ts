import { expect } from 'chai';

import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { buy, fallDue, meet, runTimer } from './trade.ts';
import { patience } from '../platform/pace.ts';

describe('get_order', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  const get = (key: string | undefined, id: number | string) =>
    platform.request(`GET /api/v1/orders/${id}`, { key });

  it('shows its buyer and its seller what was paid and what happens next', async () => {
    const { buyer, seller, product } = await meet(platform, { price: 2, release_hours: 5 });
    const id = await buy(platform, buyer, product);
    const { status, body } = await get(buyer.key, id);
    expect(status).to.equal(200);
    expect(body).to.include({
      order_id: id,
      quantity: 1,
      unit_price: 2,
      subtotal: 2,
      fee: 0.2,
      total_due: 2.2,
      status: 'escrow',
      buyer_id: buyer.id,
      seller_id: seller.id,
    });
    expect(Date.parse(body.release_at) - Date.parse(body.created_at)).to.be.closeTo(18e6, 5_000);
    expect(body.deadlines).to.deep.equal([
      { at: body.release_at, happens: 'The escrow is released to the seller.' },
    ]);
    expect(body.available_actions).to.include('get_vault_item');

    const sold = (await get(seller.key, id)).body;
    expect(sold.available_actions).not.to.include('get_vault_item');
    expect({ ...sold, available_actions: [] }).to.deep.equal({ ...body, available_actions: [] });
  });

  it('shows when the vault was first opened, and that nothing more happens at the end', async () => {
    const { buyer, product } = await meet(platform);
    const id = await buy(platform, buyer, product);
    expect((await get(buyer.key, id)).body.revealed_at).to.equal(null);
    await platform.request(`GET /vault/${id}`, { key: buyer.key });
    const { revealed_at } = (await get(buyer.key, id)).body;
    expect(Date.parse(revealed_at)).to.be.closeTo(Date.now(), patience(20_000));
    await platform.request(`GET /vault/${id}`, { key: buyer.key });
    await fallDue(platform, id);
    await runTimer(platform, 'release_due_orders');
    const { body } = await get(buyer.key, id);
    expect(body).to.deep.include({ status: 'completed', deadlines: [], revealed_at });
  });

  it('shows an owner what its child bought, and a child nothing of its owner', async () => {
    const { buyer, product } = await meet(platform, { items: ['c1', 'c2'] });
    const child = await childOf(platform, buyer);
    const childs = await buy(platform, child, product);
    const owners = await buy(platform, buyer, product);
    expect((await get(buyer.key, childs)).body).to.include({ buyer_id: child.id });
    expect((await get(child.key, owners)).body.error).to.equal('not_found');
  });

  it('refuses other agents, what is no id, and keys without read', async () => {
    const { buyer, product } = await meet(platform);
    const id = await buy(platform, buyer, product);
    const otherAgent = await platform.agent();
    expect((await get(otherAgent.key, id)).status).to.equal(404);
    expect((await get(buyer.key, 2 ** 31 - 1)).body.error).to.equal('not_found');
    expect((await get(buyer.key, 'one')).body.error).to.equal('validation_error');
    expect((await get(undefined, id)).body.error).to.equal('authentication_required');
    const key = await platform.keyOf(buyer, ['buy', 'sell']);
    expect((await get(key, id)).body.error).to.equal('insufficient_scope');
  });
});
