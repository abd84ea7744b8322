import { expect } from 'chai';

import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { buy, meet } from './trade.ts';

describe('get_orders', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  const list = (key: string | undefined, query = '') =>
    platform.request(`GET /api/v1/orders${query}`, { key });
  const unlimited = { stock_kind: 'unlimited', content: 'all', price: 0.01 };
  const idsOf = (orders: { order_id: number }[]) => orders.map(({ order_id }) => order_id);

  it('lists what was bought, newest first, and what was sold to whom sells', async () => {
    const { buyer, seller, product } = await meet(platform, unlimited);
    const first = await buy(platform, buyer, product);
    const second = await buy(platform, buyer, product, 3);
    const { body } = await list(buyer.key);
    expect(idsOf(body.orders)).to.deep.equal([second, first]);
    expect(body).to.include({ count: 2, next_cursor: null, has_more: false });
    expect(body.orders[0]).to.include({
      product_id: product.id,
      title: 'A serial key',
      quantity: 3,
      unit_price: 0.01,
      subtotal: 0.03,
      fee: 0.003,
      total_due: 0.033,
      status: 'escrow',
      item_endpoint: `/vault/${second}`,
      buyer_id: buyer.id,
      seller_id: seller.id,
      revealed_at: null,
    });
    expect(idsOf((await list(seller.key, '?role=seller')).body.orders)).to.deep.equal([
      second,
      first,
    ]);
    expect((await list(seller.key)).body.orders).to.deep.equal([]);
    expect((await list(buyer.key, '?role=seller')).body.orders).to.deep.equal([]);
  });

  it('lists those of a status, also what was never bought', async () => {
    const { buyer, seller, product } = await meet(platform, unlimited);
    const ids: number[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await buy(platform, buyer, product));
    const act = (n: number, action: string, key: string, body = {}) =>
      platform.request(`POST /api/v1/orders/${ids[n]}/${action}`, { key, body });
    await act(0, 'confirm', buyer.key);
    await act(1, 'dispute', buyer.key, { reason: 'It is empty.' });
    await act(2, 'refund', seller.key);
    for (const [status, expected] of [
      ['escrow', [ids[4], ids[3]]],
      ['completed', [ids[0]]],
      ['disputed', [ids[1]]],
      ['refunded', [ids[2]]],
      ['partially_refunded', []],
      ['pending_approval', []],
    ] as const) {
      for (const [key, role] of [
        [buyer.key, 'buyer'],
        [seller.key, 'seller'],
      ] as const) {
        const { body } = await list(key, `?role=${role}&status=${status}`);
        expect(idsOf(body.orders), `${status} of the ${role}`).to.deep.equal(expected);
      }
    }
    const first = (await list(buyer.key, '?status=escrow&limit=1')).body;
    expect([idsOf(first.orders), first.has_more]).to.deep.equal([[ids[4]], true]);
    const rest = await list(buyer.key, `?status=escrow&limit=1&cursor=${first.next_cursor}`);
    expect(idsOf(rest.body.orders)).to.deep.equal([ids[3]]);
    expect((await list(buyer.key, '?status=open')).body.error).to.equal('validation_error');
  });

  it('sorts and counts those of a tree, on pages that hold each once', async () => {
    const { buyer, product } = await meet(platform, unlimited);
    const scout = await childOf(platform, buyer);
    const [few, most, least] = [
      await buy(platform, buyer, product, 2),
      await buy(platform, scout, product, 3),
      await buy(platform, buyer, product),
    ];
    const sorted = async (sort: string, more = '') => {
      const { body } = await list(buyer.key, `?below=true&sort=${sort}${more}`);
      return [idsOf(body.orders), body.total_count] as const;
    };
    expect(await sorted('newest')).to.deep.equal([[least, most, few], 3]);
    expect(await sorted('oldest')).to.deep.equal([[few, most, least], 3]);
    expect(await sorted('amount_desc')).to.deep.equal([[most, few, least], 3]);
    expect(await sorted('amount_asc')).to.deep.equal([[least, few, most], 3]);
    expect(await sorted('amount_desc', '&status=completed')).to.deep.equal([[], 0]);
    const path = '?below=true&sort=amount_desc&limit=2';
    const first = (await list(buyer.key, path)).body;
    expect([idsOf(first.orders), first.total_count, first.has_more]).to.eql([[most, few], 3, true]);
    const rest = (await list(buyer.key, `${path}&cursor=${first.next_cursor}`)).body;
    expect([idsOf(rest.orders), rest.total_count, rest.has_more]).to.deep.equal([
      [least],
      3,
      false,
    ]);

    const later = (id: number, hours: number) =>
      platform.query(
        `update orders set release_at = now() + $2 * interval '1 hour' where id = $1`,
        [id, hours],
      );
    await later(least, 2);
    await later(few, 3);
    await later(most, 4);
    expect(await sorted('due')).to.deep.equal([[least, few, most], 3]);
    expect((await list(buyer.key)).body).not.to.have.property('total_count');
    expect((await list(buyer.key, '?sort=best')).body.error).to.equal('validation_error');
  });

  it('pages through all of them once, though more are bought meanwhile', async () => {
    const { buyer, product } = await meet(platform, unlimited);
    const bought: number[] = [];
    for (let n = 0; n < 7; n += 1) bought.push(await buy(platform, buyer, product));
    const seen: number[] = [];
    let cursor = '';
    do {
      const { body } = await list(buyer.key, `?limit=3${cursor && `&cursor=${cursor}`}`);
      expect(body.count).to.equal(body.orders.length);
      expect(body.has_more).to.equal(body.next_cursor !== null);
      seen.push(...idsOf(body.orders));
      cursor = body.next_cursor;
      await buy(platform, buyer, product);
    } while (cursor);
    expect(seen).to.deep.equal(bought.toReversed());
  });

  it('keeps the title and the price that were bought when the product changes', async () => {
    const { buyer, seller, product } = await meet(platform, unlimited);
    await buy(platform, buyer, product);
    await platform.request(`PATCH /api/v1/products/${product.id}`, {
      key: seller.key,
      body: { title: 'Another', price: 9 },
    });
    const { body } = await list(buyer.key);
    expect(body.orders[0]).to.include({ title: 'A serial key', unit_price: 0.01 });
  });

  it('refuses other cursors, limits and roles, and keys without read', async () => {
    const { buyer } = await meet(platform, unlimited);
    for (const query of ['?limit=0', '?limit=101', '?cursor=%21', '?role=thief']) {
      const { status, body } = await list(buyer.key, query);
      expect([status, body.error], query).to.deep.equal([422, 'validation_error']);
    }
    expect((await list(buyer.key, '?x=1')).body.ignored).to.deep.equal(['x']);
    const key = await platform.keyOf(buyer, ['buy', 'sell']);
    expect((await list(key)).body.error).to.equal('insufficient_scope');
    expect((await list(undefined)).body.error).to.equal('authentication_required');
  });
});
