import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { childOf } from '../agents/child.ts';
import { BrowserLike } from '../console/browser_like.ts';
import { railOf } from '../deposits/paid_in.ts';
import { decide } from '../orders/deal.ts';
import { buy, meet, startTimer } from '../orders/trade.ts';
import { eventually } from '../platform/eventually.ts';
import { rollUp } from '../wallet/reports/roll_up.ts';
import { gatherRecords } from './gather_records.ts';

describe('seller_record', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    await gatherRecords(platform);
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const rail = railOf(() => platform);
  const unlimited = { stock_kind: 'unlimited', content: 'all', price: 0.01 };
  const record = async (query: string, key: string) =>
    (await platform.request(`GET /api/v1/sellers/record?${query}`, { key })).body;
  const act = async (orderId: number, action: string, key: string, body: object = {}) => {
    const { status } = await platform.request(`POST /api/v1/orders/${orderId}/${action}`, {
      key,
      body,
    });
    expect(status, `${action} ${orderId}`).to.equal(200);
  };

  it('counts what became of settled deals, by owners, and no open ones', async () => {
    const { buyer, seller, product } = await meet(platform, unlimited);
    const other = await platform.agent({ usd: 1 });
    const child = await childOf(platform, buyer);
    const ids: number[] = [];
    for (let n = 0; n < 4; n += 1) ids.push(await buy(platform, buyer, product));
    ids.push(await buy(platform, child, product));
    ids.push(await buy(platform, other, product));
    await gatherRecords(platform);
    const { since, delivery_ms, ...none } = await record(`agent_id=${seller.id}`, other.key);
    const nothing = { settled: 0, buyers: 0, refunded: 0, disputed: 0, disputes_lost: 0 };
    const weightless = { established_buyers: 0, level: 0 };
    expect(none).to.deep.equal({ agent_id: seller.id, ...nothing, ...weightless });
    expect(delivery_ms).to.equal(null);
    const [{ created_at }] = await platform.query('select created_at from agent where id = $1', [
      seller.id,
    ]);
    expect(since).to.equal(created_at.toISOString());

    await act(ids[0]!, 'confirm', buyer.key);
    await act(ids[5]!, 'confirm', other.key);
    await act(ids[1]!, 'refund', seller.key);
    for (const n of [2, 3]) {
      await act(ids[n]!, 'dispute', buyer.key, { reason: 'It is empty.' });
    }
    await act(ids[2]!, 'dispute/withdraw', buyer.key);
    await act(ids[4]!, 'confirm', child.key);
    const verdict = { verdict: 'refund', note: 'It was empty.' };
    expect((await decide(platform, ids[3]!, verdict)).status).to.equal(200);
    await gatherRecords(platform);

    const found = await record(`product_id=${product.id}`, other.key);
    expect(found).to.include({
      agent_id: seller.id,
      settled: 6,
      buyers: 2,
      refunded: 2,
      disputed: 2,
      disputes_lost: 1,
      ...weightless,
    });
    expect(found.delivery_ms).to.be.a('number');
    for (const path of [`/market/products/${product.id}`, `/market/sellers/${seller.id}`]) {
      const { status, text } = await new BrowserLike(platform).get(path);
      expect(status, path).to.equal(200);
      expect(text, path).to.include('6 deals, with 2 buyers').and.include('2 (33.3 %), 1 of them');
    }
  });

  it('has a level by the cash that deals of established buyers have paid in fees', async () => {
    const { buyer, seller, product } = await meet(platform, { ...unlimited, price: 1, usd: 30 });
    const levels = async () => {
      await gatherRecords(platform);
      const { established_buyers, level } = await record(`agent_id=${seller.id}`, buyer.key);
      return [established_buyers, level];
    };
    const settle = async (agent: { key: string }, units: number) =>
      act(await buy(platform, agent, product, units), 'confirm', agent.key);
    // One more has paid nine cents, and a tenth of it by welcome credit does not count.
    const small = await platform.agent({ usd: 1 });
    const cheap = await platform.product(seller, { ...unlimited, price: 0.9 });
    await act(await buy(platform, small, cheap), 'confirm', small.key);
    expect(await levels()).to.deep.equal([0, 0]);
    await settle(buyer, 2);
    expect(await levels()).to.deep.equal([1, 1]);
    await settle(buyer, 9);
    expect(await levels()).to.deep.equal([1, 2]);
    // A dispute that is lost takes away what the deal would have added.
    const lost = await buy(platform, buyer, product, 5);
    await act(lost, 'dispute', buyer.key, { reason: 'It is empty.' });
    expect((await decide(platform, lost, { verdict: 'refund', note: 'Yes.' })).status).to.equal(
      200,
    );
    expect(await levels()).to.deep.equal([1, 1]);
    // Half a year makes half of it: of two sellers the order stays.
    const [{ score }] = await platform.query(
      `select score / record_weight(now() + interval '180 days') as score from agent_record
        where role = 'seller' and agent_id = $1`,
      [seller.id],
    );
    expect(Number(score)).to.be.closeTo(300_000, 10);
  });

  it('counts no tree that owes, until it has paid', async () => {
    const { buyer, seller, product } = await meet(platform, { ...unlimited, price: 1, usd: 0 });
    const payment = rail.payment(buyer.id, 3);
    await rail.credit(payment);
    await act(await buy(platform, buyer, product, 2), 'confirm', buyer.key);
    const counted = async () => {
      await gatherRecords(platform);
      const {
        settled,
        buyers,
        established_buyers: established,
      } = await record(`agent_id=${seller.id}`, seller.key);
      return [settled, buyers, established];
    };
    expect(await counted()).to.deep.equal([1, 1, 1]);
    await rail.reverse(payment, 3);
    expect(await counted()).to.deep.equal([1, 1, 0]);
    await rail.credit(rail.payment(buyer.id, 5));
    expect(await counted()).to.deep.equal([1, 1, 1]);
  });

  it('counts each deal once, however many timers run at once', async () => {
    const { buyer, seller, product } = await meet(platform, { ...unlimited, price: 1, usd: 10 });
    for (let n = 0; n < 7; n += 1) {
      await act(await buy(platform, buyer, product), 'confirm', buyer.key);
    }
    await rollUp(platform);
    await Promise.all(Array.from({ length: 4 }, () => startTimer(platform, 'gather_records')));
    await eventually(
      () =>
        platform.query(`select from job where operation = 'gather_records'
                              and status = 'pending'`),
      (pending) => pending.length === 0,
    );
    expect((await record(`agent_id=${seller.id}`, seller.key)).settled).to.equal(7);
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
