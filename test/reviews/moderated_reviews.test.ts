import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { OPERATOR_TOKEN } from '../access/scene.ts';
import { BrowserLike, operator } from '../console/browser_like.ts';
import { TestPlatform } from '../harness.ts';
import { act, expectRefusal } from '../orders/deal.ts';
import { buy, eventsOf, meet } from '../orders/trade.ts';
import { gatherRecords } from '../records/gather_records.ts';
import { done } from '../tasks/board.ts';

describe('reviews that operators moderate', () => {
  const ANN = { name: 'ann', secret: 'the-token-of-ann-for-the-tests' };
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({
      env: { OPERATOR_TOKENS: `${ANN.name}:${ANN.secret}` },
    });
  });
  after(async () => {
    await gatherRecords(platform);
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const moderate = (orderId: number, body: object, key = OPERATOR_TOKEN) =>
    platform.request(`POST /api/v1/admin/reviews/${orderId}`, { key, body });
  const hide = { decision: 'hide', note: 'It insults a person.' };
  const show = { decision: 'show' };
  const toModerate = async (query: string) =>
    done(await platform.request(`GET /api/v1/admin/reviews?${query}`, { key: OPERATOR_TOKEN }))
      .reviews as { order_id: number; hidden_reason: string | null }[];

  /** Two reviews of one product, by an established buyer: 5, and 1 with an insult. */
  async function reviewed() {
    const goods = { stock_kind: 'unlimited', content: 'All.', price: 1, usd: 20 };
    const { buyer, seller, product } = await meet(platform, goods);
    const write = async (body: object) => {
      const orderId = await buy(platform, buyer, product, 1);
      await act(platform, 'confirm_order', { orderId, key: buyer.key });
      done(
        await platform.request(`POST /api/v1/orders/${orderId}/review`, { key: buyer.key, body }),
      );
      return orderId;
    };
    const good = await write({ rating: 5 });
    const bad = await write({ rating: 1, text: 'The seller is a fool.' });
    await gatherRecords(platform);
    const list = async () => {
      const query = `product_id=${product.id}`;
      const { count, average } = done(
        await platform.request(`GET /api/v1/reviews?${query}`, { key: seller.key }),
      );
      return [count, average];
    };
    const own = async (key: string) => {
      const { review } = done(await platform.request(`GET /api/v1/orders/${bad}/review`, { key }));
      return review;
    };
    return { buyer, seller, product, good, bad, list, own };
  }

  it('are hidden from others, and do not count, until they are shown again', async () => {
    const { buyer, seller, product, good, bad, list, own } = await reviewed();
    expect(await list()).to.deep.equal([2, 3]);
    const hidden = done(await moderate(bad, hide));
    expect(hidden).to.include({ order_id: bad, seller_id: seller.id, hidden_reason: hide.note });
    expect(await list()).to.deep.equal([1, 5]);
    const page = await new BrowserLike(platform).get(`/market/products/${product.id}`);
    expect(page.text).to.not.include('a fool');
    for (const { key } of [buyer, seller]) {
      const { hidden_at, hidden_reason, version } = hidden;
      expect(await own(key)).to.include({ hidden_at, hidden_reason, version });
    }
    expect(done(await moderate(bad, hide)).hidden_at).to.equal(hidden.hidden_at);
    // An edit does not show it.
    const body = { rating: 2, text: 'The seller is slow.' };
    done(await platform.request(`POST /api/v1/orders/${bad}/review`, { key: buyer.key, body }));
    expect(await list()).to.deep.equal([1, 5]);
    const by = `product_id=${product.id}`;
    const ids = async (query: string) => (await toModerate(query)).map(({ order_id }) => order_id);
    expect(await ids(by)).to.deep.equal([bad, good]);
    expect(await ids(`${by}&hidden=true`)).to.deep.equal([bad]);
    expect(await ids(`seller_id=${seller.id}&hidden=false`)).to.deep.equal([good]);
    expect(await ids(`order_id=${good}`)).to.deep.equal([good]);
    expect(done(await moderate(bad, show))).to.include({ hidden_at: null, hidden_reason: null });
    expect(await list()).to.deep.equal([2, 3.5]);
    const news = ['order.review_hidden', 'order.reviewed', 'order.review_shown'];
    for (const agent of [buyer, seller]) {
      expect((await eventsOf(platform, agent)).slice(-3)).to.deep.equal(news);
    }
  });

  it('are refused without a reason, without a review and to all but operators', async () => {
    const { buyer, seller, product, bad, list } = await reviewed();
    expectRefusal(await moderate(bad, { decision: 'hide' }), 422, 'validation_error');
    expectRefusal(await moderate(bad, { ...hide, decision: 'show' }), 422, 'validation_error');
    for (const { key } of [buyer, seller]) {
      expectRefusal(await moderate(bad, hide, key), 401, 'invalid_key');
    }
    const open = await buy(platform, buyer, product, 1);
    for (const orderId of [open, 999_999]) {
      expectRefusal(await moderate(orderId, hide), 404, 'not_found');
    }
    expect(await list()).to.deep.equal([2, 3]);
  });

  it('are hidden and shown by forms, with a line in the log', async () => {
    const { bad, product, list } = await reviewed();
    const ann = await operator(platform, ANN);
    const path = `/admin/reviews?product_id=${product.id}`;
    const typed = { note: 'Insults <a person>.' };
    await ann.submit(await ann.get(`${path}&order_id=${bad}`), '/admin/do/moderate_review', typed);
    expect(await list()).to.deep.equal([1, 5]);
    const { text } = await ann.get(`${path}&hidden=1`);
    expect(text).to.include('Insults &lt;a person>.').and.include('a fool');
    await ann.submit(await ann.get(`${path}&hidden=1`), '/admin/do/moderate_review');
    expect(await list()).to.deep.equal([2, 3]);
    const wrong = await ann.get('/admin/reviews?order_id=abc');
    expect(wrong.status).to.equal(422);
    expect(wrong.text).to.include('Order: Enter a whole number.');
    expect((await ann.get('/admin/log?operation=moderate_review')).text).to.include(String(bad));
  });
});
