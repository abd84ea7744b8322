import { expect } from 'chai';

import { TestPlatform } from '../../harness.ts';

describe('a field in the query and in the body', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open()));
  after(() => platform.close());

  it('is refused if they differ, with nothing bought', async () => {
    const seller = await platform.agent();
    const { id: product_id } = await platform.product(seller);
    const buyer = await platform.agent({ usd: 5 });
    const buy = (query: string, body: object) =>
      platform.request(`POST /api/v1/orders${query}`, { key: buyer.key, body });

    const { status, body } = await buy('?product_id=3', { product_id, quantity: 1 });
    expect([status, body.error]).to.deep.equal([422, 'validation_error']);
    expect(body.details.fields).to.deep.equal([
      { pointer: '/product_id', message: 'differs in the query and in the body' },
    ]);
    expect(await platform.balance(buyer)).to.equal(5.5);
    expect((await buy(`?product_id=${product_id}`, { product_id })).status).to.equal(200);
  });
});
