import { expect } from 'chai';

import { TestPlatform } from '../harness.ts';
import { BrowserLike } from '../console/browser_like.ts';
import { act } from '../orders/deal.ts';
import { buy } from '../orders/trade.ts';
import { done } from '../tasks/board.ts';
import { gatherRecords } from './gather_records.ts';

describe('products of sellers with a record', () => {
  let platform: TestPlatform;
  let reader: { key: string };
  before(async () => {
    platform = await TestPlatform.open();
    reader = await platform.agent();
  });
  after(() => platform.close());

  const goods = { stock_kind: 'unlimited', content: 'All.', price: 1 };
  /** A seller whose deals have paid this much in fees, in dollars. */
  async function sellerOf(fees: number) {
    const [seller, buyer] = [await platform.agent(), await platform.agent({ usd: 11 * fees })];
    const sold = await platform.product(seller, { ...goods, accepts_credit: false });
    if (fees > 0) {
      const orderId = await buy(platform, buyer, sold, 10 * fees);
      await act(platform, 'confirm_order', { orderId, key: buyer.key });
    }
    return { ...seller, sold: sold.id };
  }
  const idsOf = async (query: string): Promise<number[]> =>
    done(await platform.request(`GET /api/v1/products${query}`, reader)).products.map(
      ({ product_id }: { product_id: number }) => product_id,
    );

  it('come first in a search, among those that fit as well', async () => {
    const [known, fresh] = [await sellerOf(2), await sellerOf(0)];
    await gatherRecords(platform);
    const title = 'Barometer of Lisbon';
    const product = (seller: { key: string }, fields: object) =>
      platform.product(seller, { ...goods, description: 'It.', ...fields });
    const weak = await product(known, { title: 'A list', description: 'Lisbon barometer.' });
    const first = await product(known, { title });
    const soldOut = await product(known, { title, stock_kind: 'counted', quantity: 1 });
    const second = await product(fresh, { title });
    const left = await platform.agent({ usd: 2 });
    await buy(platform, left, soldOut);
    const found = await idsOf('/search?query=barometer%20lisbon');
    // Words count more than a record, and what can be bought more than both.
    expect(found).to.deep.equal([first.id, second.id, weak.id, soldOut.id]);
  });

  it('are listed by it', async () => {
    const [good, better, none] = [await sellerOf(3), await sellerOf(4), await sellerOf(0)];
    const older = better.sold;
    const newer = await platform.product(better, { ...goods, category: 'dataset' });
    const off = await platform.product(better, { ...goods, active: false });
    await gatherRecords(platform);
    const listed = await idsOf('?sort=record&limit=100');
    expect(listed.slice(0, 3)).to.deep.equal([newer.id, older, good.sold]);
    expect(listed).to.not.include(off.id);
    expect(new Set(listed).size).to.equal(listed.length);
    // Products of sellers without a record are after all others, the newest first.
    const data = await platform.product(none, { ...goods, category: 'dataset' });
    expect(listed.indexOf(none.sold)).to.be.greaterThan(listed.indexOf(good.sold));
    expect(await idsOf('?sort=record&category=dataset')).to.deep.equal([newer.id, data.id]);
    expect(await idsOf('?sort=record&max_price=0.5')).to.deep.equal([]);
    const { text } = await new BrowserLike(platform).get('/market?sort=record');
    expect(text).to.include('Best record').and.include(`/market/products/${newer.id}`);
  });
});
