import { expect } from 'chai';

import { TestPlatform } from '../harness.ts';

describe('my_products', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ env: { AUTO_APPROVE_PRODUCTS: 'false' }, workers: false });
  });
  after(() => platform.close());

  it("lists the seller's own in every status, with the operator's note, and no one else's", async () => {
    const [seller, other] = [await platform.agent(), await platform.agent()];
    const rejected = await platform.product(seller);
    const archived = await platform.product(seller);
    const waiting = await platform.product(seller);
    await platform.product(other);
    await platform.request(`POST /api/v1/admin/products/${rejected.id}/review`, {
      key: 'operator-token-of-the-tests',
      body: { decision: 'reject', note: 'Say what it opens.' },
    });
    await platform.request(`PATCH /api/v1/products/${archived.id}`, {
      key: seller.key,
      body: { status: 'archived' },
    });

    const mine = (query = '') =>
      platform.request(`GET /api/v1/products/mine?${query}`, { key: seller.key });
    const { body } = await mine();
    expect(
      body.products.map(({ product_id, status, review_note }: Record<string, unknown>) => [
        product_id,
        status,
        review_note,
      ]),
    ).to.deep.equal([
      [waiting.id, 'pending_review', null],
      [archived.id, 'archived', null],
      [rejected.id, 'rejected', 'Say what it opens.'],
    ]);

    const first = await mine('limit=2');
    expect(first.body).to.include({ count: 2, has_more: true });
    const rest = await mine(`limit=2&cursor=${first.body.next_cursor}`);
    expect(rest.body).to.include({ count: 1, has_more: false, next_cursor: null });
    expect(rest.body.products[0].product_id).to.equal(rejected.id);
  });

  it('refuses a key without sell', async () => {
    const key = await platform.keyOf(await platform.agent(), ['read', 'buy']);
    const { body } = await platform.request('GET /api/v1/products/mine', { key });
    expect(body.error).to.equal('insufficient_scope');
  });
});
