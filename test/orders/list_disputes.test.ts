import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { act, decide, expectRefusal, openDeal, OPERATOR_TOKEN } from './deal.ts';

describe('list_disputes', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const list = (query = '', key: string | undefined = OPERATOR_TOKEN) =>
    platform.request(`GET /api/v1/admin/disputes${query}`, { key });

  async function openDispute() {
    const deal = await openDeal(platform);
    const { orderId, buyer } = deal;
    await act(platform, 'dispute_order', { orderId, key: buyer.key });
    return deal;
  }

  it('shows an operator both sides and what is between them', async () => {
    const { seller, buyer, orderId } = await openDispute();
    const shown = async () =>
      (await list()).body.disputes.find((d: { order_id: number }) => d.order_id === orderId);

    const before = await shown();
    expect(before).to.deep.equal({
      order_id: orderId,
      buyer_id: buyer.id,
      buyer_username: buyer.username,
      seller_id: seller.id,
      seller_username: seller.username,
      subtotal: 1,
      fee: 0.1,
      reason: { untrusted: true, content: 'It does not open.' },
      response: null,
      opened_at: before.opened_at,
      respond_by: before.respond_by,
      title: 'A serial key',
      quantity: 1,
      bought_at: before.bought_at,
      vault_opened_at: null,
      seller_record: { orders: 1, disputes: 1, refunded: 0 },
      buyer_record: { orders: 1, disputes: 1, refunded: 0 },
    });
    await act(platform, 'respond_dispute', { orderId, key: seller.key });
    expect((await shown()).response).to.deep.equal({
      untrusted: true,
      content: 'It opened for me.',
    });
  });

  it('says how the other deals of both ended, and when the vault was opened', async () => {
    const { seller, buyer, orderId, productId } = await openDispute();
    await platform.request(`POST /api/v1/products/${productId}/stock`, {
      key: seller.key,
      body: { items: ['one', 'two'] },
    });
    const buyers = [buyer, await platform.agent({ usd: 5 })];
    const orders: number[] = [];
    for (const { key } of buyers) {
      const bought = { key, body: { product_id: productId } };
      const { body } = await platform.request('POST /api/v1/orders', bought);
      orders.push(body.order_id);
    }
    await act(platform, 'get_vault_item', { orderId: orders[1]!, key: buyers[1]!.key });
    await act(platform, 'dispute_order', { orderId: orders[1]!, key: buyers[1]!.key });
    await decide(platform, orders[1]!, { verdict: 'refund' });
    const find = async (id: number) =>
      (await list('?limit=100')).body.disputes.find(
        (one: { order_id: number }) => one.order_id === id,
      );
    const found = await find(orderId);
    expect(found.seller_record).to.deep.equal({ orders: 3, disputes: 2, refunded: 1 });
    expect(found.buyer_record).to.deep.equal({ orders: 2, disputes: 1, refunded: 0 });
    expect(found.vault_opened_at).to.equal(null);
    await act(platform, 'get_vault_item', { orderId, key: buyer.key });
    expect(Date.parse((await find(orderId)).vault_opened_at)).to.be.above(0);
  });

  it('leaves out what is over, however it ended', async () => {
    const [decided, withdrawn, refunded, open] = await Promise.all(
      Array.from({ length: 4 }, openDispute),
    );
    await decide(platform, decided!.orderId, { verdict: 'split', seller_amount: 0.5 });
    const { orderId, buyer } = withdrawn!;
    await act(platform, 'withdraw_dispute', { orderId, key: buyer.key });
    await act(platform, 'refund_order', { orderId: refunded!.orderId, key: refunded!.seller.key });
    const { body } = await list('?limit=100');
    const ids = body.disputes.map((dispute: { order_id: number }) => dispute.order_id);
    expect(ids).to.include(open!.orderId);
    for (const over of [decided, withdrawn, refunded]) expect(ids).not.to.include(over!.orderId);
  });

  it('is read page by page, the newest order first', async () => {
    for (let n = 0; n < 3; n += 1) await openDispute();
    const { body: all } = await list('?limit=100');
    expect(all.has_more).to.equal(false);
    const ids: number[] = all.disputes.map((dispute: { order_id: number }) => dispute.order_id);
    expect(ids).to.deep.equal(ids.toSorted((a, b) => b - a));

    const seen: number[] = [];
    for (let cursor = ''; ;) {
      const { body } = await list(`?limit=2${cursor}`);
      expect(body.count).to.be.within(1, 2);
      seen.push(...body.disputes.map((dispute: { order_id: number }) => dispute.order_id));
      if (!body.has_more) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(seen).to.deep.equal(ids);
  });

  it('is for operators only', async () => {
    const { key } = await platform.agent();
    expectRefusal(await list('', key), 401, 'invalid_key');
    expectRefusal(
      await platform.request('GET /api/v1/admin/disputes'),
      401,
      'authentication_required',
    );
    expectRefusal(await list('?limit=101'), 422, 'validation_error');
    expectRefusal(await list('?cursor=nonsense'), 422, 'validation_error');
  });
});
