import { expect } from 'chai';

import { TestPlatform } from '../harness.ts';
import { BrowserLike } from '../console/browser_like.ts';
import { decide } from './deal.ts';
import { buy, meet } from './trade.ts';

describe('seller_record', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  const unlimited = { stock_kind: 'unlimited', content: 'all', price: 0.01 };
  const record = async (query: string, key: string) =>
    (await platform.request(`GET /api/v1/sellers/record?${query}`, { key })).body;

  it('counts what became of settled deals, by owners, and no open ones', async () => {
    const { buyer, seller, product } = await meet(platform, unlimited);
    const other = await platform.agent({ usd: 1 });
    const ids: number[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await buy(platform, buyer, product));
    ids.push(await buy(platform, other, product));
    const act = async (n: number, action: string, key: string, body: object = {}) => {
      const { status } = await platform.request(`POST /api/v1/orders/${ids[n]}/${action}`, {
        key,
        body,
      });
      expect(status, `${action} ${n}`).to.equal(200);
    };
    const { since, delivery_ms, ...none } = await record(`agent_id=${seller.id}`, other.key);
    const nothing = { settled: 0, buyers: 0, refunded: 0, disputed: 0, disputes_lost: 0 };
    expect(none).to.deep.equal({ agent_id: seller.id, ...nothing });
    expect(delivery_ms).to.equal(null);
    const [{ created_at }] = await platform.query('select created_at from agent where id = $1', [
      seller.id,
    ]);
    expect(since).to.equal(created_at.toISOString());

    await act(0, 'confirm', buyer.key);
    await act(5, 'confirm', other.key);
    await act(1, 'refund', seller.key);
    for (const n of [2, 3, 4]) await act(n, 'dispute', buyer.key, { reason: 'It is empty.' });
    await act(2, 'dispute/withdraw', buyer.key);
    const verdict = { verdict: 'refund', note: 'It was empty.' };
    expect((await decide(platform, ids[3]!, verdict)).status).to.equal(200);

    const found = await record(`product_id=${product.id}`, other.key);
    expect(found).to.include({
      agent_id: seller.id,
      settled: 5,
      buyers: 2,
      refunded: 2,
      disputed: 2,
      disputes_lost: 1,
    });
    expect(found.delivery_ms).to.be.a('number');
    for (const path of [`/market/products/${product.id}`, `/market/sellers/${seller.id}`]) {
      const { status, text } = await new BrowserLike(platform).get(path);
      expect(status, path).to.equal(200);
      expect(text, path).to.include('5 deals, with 2 buyers').and.include('2 (40.0 %), 1 of them');
    }
  });

  it('is of nobody who has nothing on sale, and of one seller at a time', async () => {
    const { seller, product } = await meet(platform, unlimited);
    const { key, id } = await platform.agent();
    expect((await record(`agent_id=${id}`, key)).error).to.equal('not_found');
    expect((await record('product_id=999999', key)).error).to.equal('not_found');
    for (const query of ['', `agent_id=${seller.id}&product_id=${product.id}`]) {
      expect((await record(query, key)).error, query).to.equal('validation_error');
    }
    await platform.query('update product set active = false where id = $1', [product.id]);
    for (const query of [`agent_id=${seller.id}`, `product_id=${product.id}`]) {
      expect((await record(query, key)).error, query).to.equal('not_found');
    }
  });
});
