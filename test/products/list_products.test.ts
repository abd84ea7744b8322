import { expect } from 'chai';

import { TestPlatform } from '../harness.ts';

const TEXT = { stock_kind: 'unlimited', content: 'x' };

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

  it('lists one seller, newest first, and nothing of others', async () => {
    const [seller, other] = [await platform.agent(), await platform.agent()];
    const first = await platform.product(seller);
    await platform.product(other);
    const off = await platform.product(seller);
    await change(seller, off.id, { active: false });
    const last = await platform.product(seller);
    const { body } = await list(other.key, `seller_id=${seller.id}`);
    expect(idsOf(body)).to.deep.equal([last.id, first.id]);
    const some = await list(other.key, `seller_id=${seller.id}&limit=1`);
    const rest = `seller_id=${seller.id}&limit=1&cursor=${some.body.next_cursor}`;
    expect(idsOf(some.body)).to.deep.equal([last.id]);
    expect(idsOf((await list(other.key, rest)).body)).to.deep.equal([first.id]);
    const none = await list(other.key, `seller_id=${seller.id + 1_000_000}`);
    expect(idsOf(none.body)).to.deep.equal([]);
  });

  it('lists by price, of equal prices the newest first, each once over all pages', async () => {
    const seller = await platform.agent();
    const category = 'smart_contract';
    const made: { id: number; price: number }[] = [];
    for (const price of [3, 1, 2, 1, 1, 2]) {
      const { id } = await platform.product(seller, { category, price, ...TEXT });
      made.push({ id, price });
    }
    const off = await platform.product(seller, { category, price: 0.5, ...TEXT });
    await change(seller, off.id, { active: false });
    const seen = async (asked: string) => {
      const ids: number[] = [];
      for (let query = `category=${category}&limit=2&${asked}`; query;) {
        const { body } = await list(seller.key, query);
        ids.push(...idsOf(body));
        query = body.next_cursor
          ? `category=${category}&limit=2&${asked}&cursor=${body.next_cursor}`
          : '';
      }
      return ids;
    };
    const sorted = (sign: number) =>
      made.toSorted((a, b) => sign * (a.price - b.price) || b.id - a.id);
    const ids = (products: typeof made) => products.map(({ id }) => id);
    expect(await seen('sort=price_asc')).to.deep.equal(ids(sorted(1)));
    expect(await seen('sort=price_desc')).to.deep.equal(ids(sorted(-1)));
    const upTo2 = sorted(1).filter(({ price }) => price <= 2);
    expect(await seen('max_price=2')).to.deep.equal(ids(upTo2));
    const down = sorted(-1).filter(({ price }) => price <= 2);
    expect(await seen('max_price=2&sort=price_desc')).to.deep.equal(ids(down));
  });

  it('refuses what no index has, and says which there are', async () => {
    const { key, id } = await platform.agent();
    for (const [query, part] of [
      ['max_price=1&sort=newest', 'must not be newest'],
      [`seller_id=${id}&sort=price_asc`, 'must be absent'],
      [`seller_id=${id}&max_price=1`, 'must be absent'],
      [`seller_id=${id}&category=dataset`, 'must be absent'],
      ['sort=title', ''],
    ]) {
      const { status, text } = await list(key, query);
      expect([status, text.includes(part!)], query).to.deep.equal([422, true]);
    }
  });

  it('refuses unknown categories, limits out of range, wrong cursors and keys without read', async () => {
    const { key } = await platform.agent();
    const wrong = ['category=x', 'limit=0', 'limit=101', 'limit=x', 'cursor=x'];
    for (const query of wrong) {
      const { status, body } = await list(key, query);
      expect([status, body.error], query).to.deep.equal([422, 'validation_error']);
    }
    expect((await list(key, 'page=2')).body.ignored).to.deep.equal(['page']);
    const seller = await platform.agent();
    const { body } = await list(await platform.keyOf(seller, ['sell']));
    expect(body.error).to.equal('insufficient_scope');
  });
});
