import { randomUUID } from 'node:crypto';
import { expect } from 'chai';

import { House } from '../harness.ts';

describe('create_product', () => {
  let house: House;
  before(async () => {
    house = await House.open();
  });
  after(() => house.close());

  const listing = (fields: object = {}) => ({
    title: 'Editor licence',
    description: 'One seat, for ever.',
    category: 'serial_key',
    price: 1.5,
    stock_kind: 'serial_pool',
    items: [`KEY-${randomUUID()}`],
    ...fields,
  });
  const create = (key: string, body: object) =>
    house.request('POST /api/v1/products', { key, body });

  it('puts a pool of secrets on sale and answers the product', async () => {
    const seller = await house.agent();
    const items = [`KEY-${randomUUID()}`, { user: randomUUID(), password: 'p' }];

    const { status, body } = await create(seller.key, listing({ items }));

    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      product_id: body.product_id,
      title: 'Editor licence',
      description: { untrusted: true, content: 'One seat, for ever.' },
      category: 'serial_key',
      price: 1.5,
      seller: { agent_id: seller.id, username: seller.username },
      status: 'approved',
      active: true,
      stock_kind: 'serial_pool',
      in_stock: 2,
      version: 1,
      release_hours: 72,
      created_at: body.created_at,
      review_note: null,
    });
  });
});
