import { expect } from 'chai';

import { TestPlatform } from '../harness.ts';

describe('list_products', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  after(() => platform.close());

  const list = (key: string, query = '') =>
    platform.request(`GET /api/v1/products?${query}`, { key });
  const idsOf = (body: { products: { product_id: number }[] }) =>
    body.products.map(({ product_id: id }) => id);
  const change = (seller: { key: string }, id: number, body: object) =>
    platform.request(`PATCH /api/v1/products/${id}`, { key: seller.key, body });

  it('lists what is on sale, newest first, page by page, each once', async () => {
    const [seller, reader] = [await platform.agent(), await platform.agent()];
    const made: number[] = [];
    for (let n = 0; n < 5; n += 1) made.unshift((await platform.product(seller)).id);

    const seen: number[] = [];
    let query = 'limit=2';
    for (let more = true; more && seen.length < 5;) {
      const { body } = await list(reader.key, query);
      expect(body.count).to.equal(body.products.length);
      seen.push(...idsOf(body));
      more = body.has_more;
      query = `limit=2&cursor=${body.next_cursor}`;
    }
    expect(seen.slice(0, 5)).to.deep.equal(made);
  });

  it('leaves out what is off sale, and counts what is left', async () => {
    const [seller, reader] = [await platform.agent(), await platform.agent()];
    const [off, gone, on] = [
      await platform.product(seller),
      await platform.product(seller),
      await platform.product(seller, { stock_kind: 'counted', content: 'x', quantity: 3 }),
    ];
    await change(seller, off.id, { active: false });
    await change(seller, gone.id, { status: 'archived' });
    const { body } = await list(reader.key, 'limit=100');
    expect(idsOf(body)).to.include(on.id).and.not.include(off.id).and.not.include(gone.id);
    expect(body.products[0]).to.include({ product_id: on.id, in_stock: 3 });
    expect(body.products[0]).not.to.have.property('review_note');
  });

  it('lists one category', async () => {
    const seller = await platform.agent();
    const { id } = await platform.product(seller, { category: 'mcp_server' });
    await platform.product(seller);
    const { body } = await list(seller.key, 'category=mcp_server');
    expect(idsOf(body)).to.deep.equal([id]);
    expect(body).to.include({ count: 1, next_cursor: null, has_more: false });
  });

  it('refuses unknown categories, limits out of range, wrong cursors and keys without read', async () => {
    const { key } = await platform.agent();
    const wrong = ['category=x', 'limit=0', 'limit=101', 'limit=x', 'cursor=x', 'page=2'];
    for (const query of wrong) {
      const { status, body } = await list(key, query);
      expect([status, body.error], query).to.deep.equal([422, 'validation_error']);
    }
    const seller = await platform.agent();
    const { body } = await list(await platform.keyOf(seller, ['sell']));
    expect(body.error).to.equal('insufficient_scope');
  });
});
