import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { BrowserLike, formsOf, signedIn } from '../console/browser_like.ts';
import { act, expectRefusal, walletsOf } from '../orders/deal.ts';
import { buy, eventsOf, meet } from '../orders/trade.ts';
import { issueReceipts, receiptOf } from '../receipts/receipt_book.ts';
import { gatherRecords } from '../records/gather_records.ts';
import { done } from '../tasks/board.ts';

describe('reviews', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    await gatherRecords(platform);
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const goods = { stock_kind: 'unlimited', content: 'All.', price: 1, usd: 20 };
  const untrusted = (content: string) => ({ untrusted: true, content });
  interface Agent {
    readonly id: number;
    readonly key: string;
  }
  const settle = async (buyer: Agent, product: { id: number }, units = 1) => {
    const orderId = await buy(platform, buyer, product, units);
    await act(platform, 'confirm_order', { orderId, key: buyer.key });
    return orderId;
  };
  const review = (orderId: number, { key }: { key: string }, body: object) =>
    platform.request(`POST /api/v1/orders/${orderId}/review`, { key, body });
  const answer = (orderId: number, { key }: { key: string }, text = 'Thank you.') =>
    platform.request(`POST /api/v1/orders/${orderId}/review/answer`, {
      key,
      body: { answer: text },
    });
  const list = (query: string, { key }: { key: string }) =>
    platform.request(`GET /api/v1/reviews?${query}`, { key });

  it('are of settled orders, with the receipt, and tell nobody who wrote them', async () => {
    const { buyer, seller, product } = await meet(platform, goods);
    const orderId = await settle(buyer, product, 2);
    const written = done(await review(orderId, buyer, { rating: 4, text: 'It works.' }));
    expect(written).to.deep.include({
      order_id: orderId,
      product_id: product.id,
      rating: 4,
      text: untrusted('It works.'),
      established: false, // its deal is not gathered yet
      version: 1,
      receipt_id: null,
      answer: null,
      earlier: [],
    });
    await gatherRecords(platform);
    await issueReceipts(platform);
    const { receipt_id } = await receiptOf(platform, buyer, 'order', orderId);
    const { review: own } = done(
      await platform.request(`GET /api/v1/orders/${orderId}/review`, seller),
    );
    expect(own).to.deep.include({ receipt_id, established: true });
    expect(done(await answer(orderId, seller)).answer).to.deep.equal(untrusted('Thank you.'));
    const other = await platform.agent();
    for (const query of [`product_id=${product.id}`, `seller_id=${seller.id}`]) {
      const listed = done(await list(query, other));
      expect(listed).to.include({ count: 1, average: 4, rated: 1 });
      const [{ created_at, answered_at, ...shown }] = listed.reviews;
      expect(shown).to.deep.equal({
        product_id: product.id,
        rating: 4,
        text: untrusted('It works.'),
        established: true,
        version: 1,
        answer: untrusted('Thank you.'),
      });
      expect([created_at, answered_at].map((at) => typeof at)).to.deep.equal(['string', 'string']);
    }
    const news = ['order.reviewed', 'order.review_answered'];
    for (const agent of [buyer, seller]) {
      expect((await eventsOf(platform, agent)).slice(-2)).to.deep.equal(news);
    }
  });

  it('stand on the pages of the product and the seller, without a name', async () => {
    const { buyer, seller, product } = await meet(platform, goods);
    const page = async (path: string) => (await new BrowserLike(platform).get(path)).text;
    const paths = [`/market/products/${product.id}`, `/market/sellers/${seller.id}`];
    for (const path of paths) expect(await page(path)).to.include('No buyer has written one yet.');
    const orderId = await settle(buyer, product, 2);
    done(await review(orderId, buyer, { rating: 2, text: '<b>Slow</b>' }));
    done(await answer(orderId, seller, 'It is faster now.'));
    for (const path of paths) {
      const text = await page(path);
      expect(text, path).to.include('2 of 5').and.include('&lt;b>Slow&lt;/b>');
      expect(text, path).to.include('It is faster now.').and.include('not established');
      expect(text, path).to.not.include(buyer.username);
    }
    await gatherRecords(platform);
    const { average } = done(await list(`product_id=${product.id}`, buyer));
    expect(average).to.equal(2);
  });

  it('are written, edited and answered by forms of the console', async () => {
    const { buyer, seller, product } = await meet(platform, goods);
    const orderId = await settle(buyer, product);
    const path = `/console/orders/${orderId}`;
    const send = async (agent: Agent & { username: string }, op: string, typed: object) => {
      const browser = await signedIn(platform, agent);
      const { text } = await browser.get(path);
      const form = formsOf(text).find(({ action }) => action.endsWith(`/${op}`));
      if (!form) throw new Error(`no form for ${op}`);
      const { location } = await browser.post(form.action, { ...form.fields, ...typed });
      return (await browser.get(location!)).text;
    };
    const first = await send(buyer, 'review_order', { rating: '3', text: 'Fine.' });
    expect(first).to.include('Your review was published.').and.include('3 of 5');
    const edited = await send(buyer, 'review_order', { rating: '4', text: 'Good.' });
    expect(edited).to.include('4 of 5').and.include('edited 1 time').and.include('Good.');
    const answered = await send(seller, 'answer_review', { answer: 'Thank you.' });
    expect(answered).to.include('Your answer was published.').and.include('Thank you.');
    expect(answered).to.not.include('Answer the review');
  });

  it('are edited by another version, and what was said before is kept', async () => {
    const { buyer, seller, product } = await meet(platform, goods);
    const child = await childOf(platform, buyer);
    const orderId = await settle(child, product);
    done(await review(orderId, child, { rating: 5, text: 'Good.' }));
    done(await review(orderId, buyer, { rating: 1, text: 'It broke.' }));
    done(await review(orderId, buyer, { rating: 1, text: 'It broke.' })); // the same
    const { review: own } = done(
      await platform.request(`GET /api/v1/orders/${orderId}/review`, child),
    );
    expect(own).to.deep.include({ rating: 1, version: 2, text: untrusted('It broke.') });
    const earlier = own.earlier.map(({ rating, text }: { rating: number; text: object }) => [
      rating,
      text,
    ]);
    expect(earlier).to.deep.equal([[5, untrusted('Good.')]]);
    for (let n = 3; n <= 20; n += 1) done(await review(orderId, buyer, { rating: 1 + (n % 2) }));
    expectRefusal(await review(orderId, buyer, { rating: 3 }), 409, 'invalid_transition');
    const page = await (await signedIn(platform, buyer)).get(`/console/orders/${orderId}`);
    expect(page.text).to.include('It was edited as often as it can be: 20 versions are kept.');
    expect(page.text).not.to.include('Edit the review');
    const { reviews } = done(await list(`product_id=${product.id}`, seller));
    expect(reviews.map(({ rating, text }: { rating: number; text: null }) => [rating, text]))
      .to //
      .deep.equal([[1, null]]);
  });

  it('are refused to all but the buyer, and before the end, with the money as it was', async () => {
    const { buyer, seller, product } = await meet(platform, goods);
    const other = await platform.agent();
    const open = await buy(platform, buyer, product);
    const disputed = await buy(platform, buyer, product);
    await act(platform, 'dispute_order', { orderId: disputed, key: buyer.key });
    const settled = await settle(buyer, product);
    const before = await walletsOf(platform, buyer, seller);
    const good = { rating: 5 };
    for (const orderId of [open, disputed]) {
      expectRefusal(await review(orderId, buyer, good), 409, 'invalid_transition');
    }
    expectRefusal(await review(settled, seller, good), 403, 'forbidden');
    expectRefusal(await review(settled, other, good), 404, 'not_found');
    expectRefusal(await answer(settled, seller), 404, 'not_found');
    for (const body of [{ rating: 0 }, { rating: 6 }, { rating: 5, text: 'x'.repeat(1_001) }]) {
      expectRefusal(await review(settled, buyer, body), 422, 'validation_error');
    }
    const reader = await platform.keyOf(buyer, ['read']);
    expectRefusal(await review(settled, { key: reader }, good), 403, 'insufficient_scope');
    const shown = (key: string) =>
      platform.request(`GET /api/v1/orders/${settled}/review`, { key });
    expect(done(await shown(buyer.key))).to.deep.equal({ order_id: settled, review: null });
    expectRefusal(await shown(other.key), 404, 'not_found');
    done(await review(settled, buyer, good));
    expectRefusal(await shown(other.key), 404, 'not_found');
    expectRefusal(await answer(settled, buyer), 403, 'forbidden');
    expectRefusal(await answer(settled, other), 404, 'not_found');
    done(await answer(settled, seller));
    expectRefusal(await answer(settled, seller, 'And more.'), 409, 'invalid_transition');
    expect(await walletsOf(platform, buyer, seller)).to.deep.equal(before);
    for (const query of ['', `product_id=${product.id}&seller_id=${seller.id}`]) {
      expectRefusal(await list(query, other), 422, 'validation_error');
    }
    await platform.query('update product set active = false where id = $1', [product.id]);
    expectRefusal(await list(`product_id=${product.id}`, other), 404, 'not_found');
    expectRefusal(await list(`seller_id=${seller.id}`, other), 404, 'not_found');
  });

  it('are one of an order, however many are written at once', async () => {
    const { buyer, product } = await meet(platform, goods);
    const orderId = await settle(buyer, product);
    const replies = await Promise.all(
      [1, 2, 3, 4, 5].map((rating) => review(orderId, buyer, { rating })),
    );
    const versions = replies.map((reply) => done(reply).version as number);
    expect(versions.toSorted((a, b) => a - b)).to.deep.equal([1, 2, 3, 4, 5]);
    const [{ count }] = await platform.query(
      'select count(*)::int from review where order_id = $1',
      [orderId],
    );
    expect(count).to.equal(1);
  });

  it('weigh what their orders paid in fees, if the buyer is established', async () => {
    const { buyer, seller, product } = await meet(platform, goods);
    done(await review(await settle(buyer, product, 9), buyer, { rating: 5 }));
    done(await review(await settle(buyer, product), buyer, { rating: 1 }));
    // A ring of ten that buys for cents, with fees of four cents each.
    const { usd: _, ...listed } = goods;
    const cheap = await platform.product(seller, {
      ...listed,
      price: 0.1,
      accepts_credit: false,
    });
    for (let n = 0; n < 10; n += 1) {
      const fake = await platform.agent({ usd: 0.44 });
      done(await review(await settle(fake, cheap, 4), fake, { rating: 1 }));
    }
    await gatherRecords(platform);
    const of = async (query: string) => {
      const { average, rated, count } = done(await list(query, buyer));
      return [average, rated, count];
    };
    expect(await of(`product_id=${product.id}`)).to.deep.equal([4.6, 2, 2]);
    expect(await of(`product_id=${cheap.id}`)).to.deep.equal([null, 0, 10]);
    expect(await of(`seller_id=${seller.id}`)).to.deep.equal([4.6, 2, 12]);
  });
});
