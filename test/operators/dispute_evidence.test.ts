import { expect } from 'chai';

import { OPERATOR_TOKEN } from '../access/scene.ts';
import { operator } from '../console/browser_like.ts';
import { TestPlatform } from '../harness.ts';
import { act, openDeal } from '../orders/deal.ts';

describe('the evidence of a dispute', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  const read = (orderId: number) =>
    platform.request(`GET /api/v1/admin/disputes/order/${orderId}`, { key: OPERATOR_TOKEN });

  it('is what was sold, delivered and opened, in the order of time', async () => {
    const description = 'It opens the lock of the tests.';
    const deal = await openDeal(platform, { description, units: 2 });
    const { orderId, buyer, seller, productId } = deal;
    await act(platform, 'get_vault_item', { orderId, key: buyer.key });
    await act(platform, 'dispute_order', { orderId, key: buyer.key });
    // Units that nobody has bought are no evidence.
    const stocked = await platform.request(`POST /api/v1/products/${productId}/stock`, {
      key: seller.key,
      body: { items: ['KEY-unsold'] },
    });
    expect(stocked.status, stocked.text).to.equal(200);
    const { status, body } = await read(orderId);
    expect(status).to.equal(200);
    expect(body).to.deep.include({
      status: 'disputed',
      title: 'A serial key',
      unit_price: 1,
      quantity: 2,
      version: 1,
      version_changed_at: null,
      delivered: 'units',
      units_delivered: 2,
      opened_by: buyer.username,
      responded_at: null,
    });
    expect(body.description).to.deep.include({ untrusted: true, content: description });
    const times = [body.bought_at, body.opened_at, body.disputed_at];
    expect(times.map((at) => Date.parse(at))).to.deep.equal(
      times.map((at) => Date.parse(at)).toSorted((a, b) => a - b),
    );
    expect(JSON.stringify(body)).to.not.include('KEY-');

    // Also when the seller has changed the listing since.
    const changed = await platform.request(`PATCH /api/v1/products/${productId}`, {
      key: seller.key,
      body: { description: 'It opens every lock.' },
    });
    expect(changed.status, changed.text).to.equal(200);
    const after = (await read(orderId)).body;
    expect(after).to.include({ version: 1, current_version: 2 });
    expect(after.version_changed_at).to.be.a('string');
  });

  it('is of disputed orders alone, open and over, and for operators alone', async () => {
    const { orderId, buyer, seller } = await openDeal(platform);
    for (const path of [`disputes/order/${orderId}`, 'machine', 'first-steps']) {
      for (const { key } of [buyer, seller]) {
        const { status, body } = await platform.request(`GET /api/v1/admin/${path}`, { key });
        expect([status, body.error], path).to.deep.equal([401, 'invalid_key']);
      }
    }
    const other = await openDeal(platform);
    await act(platform, 'get_vault_item', { orderId: other.orderId, key: other.buyer.key });
    for (const id of [orderId, 2 ** 31 - 1]) {
      const { status, body } = await read(id);
      expect([status, body.error]).to.deep.equal([404, 'not_found']);
    }
    await act(platform, 'dispute_order', { orderId, key: buyer.key });
    await act(platform, 'withdraw_dispute', { orderId, key: buyer.key });
    expect((await read(orderId)).body).to.include({ opened_at: null, opened_by: null });
  });

  it('stands beside the verdict', async () => {
    const { orderId, buyer, seller } = await openDeal(platform, {
      stock_kind: 'unlimited',
      content: 'The secret text.',
    });
    const answer = { order_id: orderId, text: 'Thank you for <b>buying</b>.' };
    await platform.request('POST /api/v1/messages', { key: seller.key, body: answer });
    await act(platform, 'dispute_order', { orderId, key: buyer.key });
    await act(platform, 'respond_dispute', { orderId, key: seller.key });
    const browser = await operator(platform);
    const { text } = await browser.get(`/admin/decisions?kind=order_disputes&id=${orderId}`);
    expect(text)
      .to.include('without having opened the vault')
      .and.include('The listing has not changed since')
      .and.include('Thank you for &lt;b>buying&lt;/b>.')
      .and.include('the content of this version delivered')
      .and.not.include('The secret text.');
    const first = await browser.get('/admin/decisions?kind=order_disputes');
    expect(first.text).to.include('Show all the evidence');
  });
});
