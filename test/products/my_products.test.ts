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

  it('lists those of a status, sorts and counts them', async () => {
    const seller = await platform.agent();
    const made: number[] = [];
    for (const [title, price] of [
      ['Keys 10', 2],
      ['keys 9', 3],
      ['Álbum', 1],
    ] as const) {
      made.push((await platform.product(seller, { title, price })).id);
    }
    const [ten, nine, album] = made;
    await platform.query(`update product set status = 'approved' where id = $1`, [nine]);
    const listed = async (query: string) => {
      const { body } = await platform.request(`GET /api/v1/products/mine?${query}`, {
        key: seller.key,
      });
      const ids = body.products.map(({ product_id }: { product_id: number }) => product_id);
      return [ids, body.total_count] as const;
    };
    expect(await listed('sort=newest')).to.deep.equal([[album, nine, ten], 3]);
    expect(await listed('sort=oldest')).to.deep.equal([[ten, nine, album], 3]);
    expect(await listed('sort=price_desc')).to.deep.equal([[nine, ten, album], 3]);
    expect(await listed('sort=price_asc&limit=2')).to.deep.equal([[album, ten], 3]);
    expect(await listed('sort=title')).to.deep.equal([[album, nine, ten], 3]);
    expect(await listed('status=approved')).to.deep.equal([[nine], undefined]);
    expect(await listed('status=pending_review&sort=title')).to.deep.equal([[album, ten], 2]);
  });

  it('refuses a key without sell', async () => {
    const key = await platform.keyOf(await platform.agent(), ['read', 'buy']);
    const { body } = await platform.request('GET /api/v1/products/mine', { key });
    expect(body.error).to.equal('insufficient_scope');
  });
});
