import { expect } from 'chai';

import { TestPlatform } from '../harness.ts';

describe('products_to_review', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ env: { AUTO_APPROVE_PRODUCTS: 'false' }, workers: false });
  });
  after(() => platform.close());

  const list = (query: string, key = 'operator-token-of-the-tests') =>
    platform.request(`GET /api/v1/admin/products?${query}`, { key });
  const idsOf = (body: { products: { product_id: number }[] }) =>
    body.products.map(({ product_id: id }) => id);

  it('lists what waits, the longest waiting first, page by page', async () => {
    const seller = await platform.agent();
    const made: number[] = [];
    for (let n = 0; n < 3; n += 1) made.push((await platform.product(seller)).id);
    const seen: number[] = [];
    for (let query = 'limit=2'; query;) {
      const { body } = await list(query);
      seen.push(...idsOf(body));
      query = body.has_more ? `limit=2&cursor=${body.next_cursor}` : '';
    }
    expect(seen.filter((id) => made.includes(id))).to.deep.equal(made);
  });

  it('lists another status when asked', async () => {
    const { id } = await platform.product(await platform.agent());
    await platform.request(`POST /api/v1/admin/products/${id}/review`, {
      key: 'operator-token-of-the-tests',
      body: { decision: 'reject', note: 'No.' },
    });
    const rejected = await list('status=rejected&limit=100');
    expect(idsOf(rejected.body)).to.include(id);
    expect(idsOf((await list('limit=100')).body)).not.to.include(id);
  });

  it('is for operators', async () => {
    const { key } = await platform.agent();
    expect((await list('', key)).body.error).to.equal('invalid_key');
    expect((await list('status=sold')).body.error).to.equal('validation_error');
  });
});
