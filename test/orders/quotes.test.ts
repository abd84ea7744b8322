import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { quotesOf, KINDS } from './quoting.ts';
import { runSweep, runTimer, type Agent } from './trade.ts';

describe('a quote', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open()));
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });
  const { meet, quote, preview, buy, vaultOf, change, stockOf, overdue } = quotesOf(() => platform);

  for (const kind of Object.keys(KINDS) as (keyof typeof KINDS)[]) {
    it(`holds the price and the version of a purchase for a minute: ${kind}`, async () => {
      const { seller, buyer, product } = await meet(kind);
      const { body } = await preview(buyer, { product_id: product.id });
      expect(body).to.include({ total_due: 1.1, version: 1, held: true, affordable: true });
      expect(body).not.to.have.property('not_held');
      const [{ seconds }] = await platform.query(
        `select extract(epoch from expires_at - created_at)::int as seconds from quote
          where id = $1 and date_trunc('milliseconds', expires_at) = $2`,
        [body.quote_id, body.expires_at],
      );
      expect(seconds).to.equal(60);

      await change(seller, product, {
        price: 3,
        content: kind === 'serial_pool' ? undefined : 'New.',
      });
      await change(seller, product, { active: false, release_hours: 1, accepts_credit: false });
      const bought = await buy(buyer, { quote_id: body.quote_id });
      expect(bought.body, bought.text).to.include({
        order_id: body.quote_id,
        product_id: product.id,
        quantity: 1,
        total_due: 1.1,
        status: 'escrow',
      });
      expect(await platform.balance(buyer)).to.be.closeTo(4.4, 1e-9);
      expect(await vaultOf(buyer, bought.body.order_id)).to.deep.equal([product.delivers[0]]);
      const [{ hours }] = await platform.query(
        `select extract(epoch from release_at - created_at)::int / 3600 as hours from orders
          where id = $1`,
        [body.quote_id],
      );
      expect(hours, 'release_hours of then').to.equal(72);
    });

    it(`is bought once, and can be bought with its product and quantity named: ${kind}`, async () => {
      const { buyer, product } = await meet(kind, { units: 4 });
      const quote_id = await quote(buyer, { product_id: product.id, quantity: 2 });
      for (const [field, wrong] of [
        ['product_id', { product_id: product.id + 1 }],
        ['quantity', { quantity: 1 }],
      ] as const) {
        const { status, body } = await buy(buyer, { quote_id, ...wrong });
        expect([status, body.error, body.details.fields[0].pointer]).to.deep.equal([
          422,
          'validation_error',
          `/${field}`,
        ]);
      }
      expect(await platform.balance(buyer)).to.equal(5.5);
      const named = { quote_id, product_id: product.id, quantity: 2, max_total_due: 2.2 };
      expect((await buy(buyer, named)).body.total_due).to.equal(2.2);
      const { status, body } = await buy(buyer, { quote_id });
      expect([status, body.error]).to.deep.equal([409, 'invalid_transition']);
      expect(body.details).to.deep.equal({ status: 'bought', order_id: quote_id });
      expect(body.next_actions[0].tool).to.equal('prepare_purchase_payload');
      expect(await platform.balance(buyer)).to.be.closeTo(3.3, 1e-9);
    });
  }

  for (const kind of ['serial_pool', 'counted'] as const) {
    it(`keeps its units from others, also when all others are sold: ${kind}`, async () => {
      const { seller, buyer, product } = await meet(kind, { units: 2 });
      const other = await platform.agent({ usd: 5 });
      const quote_id = await quote(buyer, { product_id: product.id });
      expect(await stockOf(seller, product)).to.deep.equal([1, 1, 0]);
      expect((await buy(other, { product_id: product.id, quantity: 2 })).body.error).to.equal(
        'out_of_stock',
      );
      expect((await buy(other, { product_id: product.id })).status).to.equal(200);
      expect((await buy(other, { product_id: product.id })).body.error).to.equal('out_of_stock');
      expect((await preview(other, { product_id: product.id })).body.error).to.equal(
        'out_of_stock',
      );
      expect((await buy(buyer, { quote_id })).status).to.equal(200);
      expect(await stockOf(seller, product)).to.deep.equal([0, 0, 2]);
    });

    it(`is over after its time, and its units are free without a timer: ${kind}`, async () => {
      const { seller, buyer, product } = await meet(kind);
      const other = await platform.agent({ usd: 5 });
      const quote_id = await quote(buyer, { product_id: product.id });
      await overdue(quote_id);
      const { status, body } = await buy(buyer, { quote_id });
      expect([status, body.error, body.details.status]).to.deep.equal([
        409,
        'invalid_transition',
        'expired',
      ]);
      expect(body.message).to.contain('Ask for a new one with prepare_purchase_payload');
      expect(await platform.balance(buyer)).to.equal(5.5);
      expect((await preview(other, { product_id: product.id, hold: false })).status).to.equal(200);
      expect((await buy(other, { product_id: product.id })).status).to.equal(200);
      expect(await stockOf(seller, product)).to.deep.equal([0, 0, 1]);
      const after = await buy(buyer, { quote_id });
      expect([after.body.error, after.body.details.status]).to.deep.equal([
        'invalid_transition',
        'expired',
      ]);
    });

    it(`lets its units go by a timer too: ${kind}`, async () => {
      const { seller, buyer, product } = await meet(kind);
      const quote_id = await quote(buyer, { product_id: product.id });
      expect(await runSweep(platform, 'release_quotes')).to.deep.equal({ released: 0, failed: 0 });
      await overdue(quote_id);
      expect(await runSweep(platform, 'release_quotes')).to.deep.equal({ released: 1, failed: 0 });
      expect(await stockOf(seller, product)).to.deep.equal([1, 0, 0]);
      expect((await buy(buyer, { quote_id })).body.details.status).to.equal('expired');
      await platform.query(
        `update quote set ended_at = now() - interval '25 hours' where id = ${quote_id}`,
      );
      await runTimer(platform, 'forget_old_rows');
      expect((await buy(buyer, { quote_id })).body.error).to.equal('not_found');
      expect(await platform.balance(buyer)).to.equal(5.5);
    });

    it(`gives way to a purchase of its own agent without it: ${kind}`, async () => {
      const { seller, buyer, product } = await meet(kind);
      const quote_id = await quote(buyer, { product_id: product.id });
      const again = await preview(buyer, { product_id: product.id });
      expect([again.status, again.body.not_held]).to.deep.equal([200, 'units_limit']);
      expect((await buy(buyer, { product_id: product.id })).status).to.equal(200);
      expect((await buy(buyer, { quote_id })).body.details.status).to.equal('expired');
      expect(await stockOf(seller, product)).to.deep.equal([0, 0, 1]);
    });
  }

  it('is of its agent alone', async () => {
    const { seller, buyer, product } = await meet('unlimited');
    const child = await childOf(platform, buyer);
    const quote_id = await quote(buyer, { product_id: product.id });
    for (const other of [child, seller, await platform.agent({ usd: 5 })]) {
      const { status, body } = await buy(other as Agent, { quote_id });
      expect([status, body.error]).to.deep.equal([404, 'not_found']);
    }
    expect((await buy(buyer, { quote_id: 2_000_000 })).body.error).to.equal('not_found');
    expect(await platform.balance(buyer)).to.equal(5.5);
    expect((await buy(buyer, { quote_id })).status).to.equal(200);
  });

  it('is refused with its reason where the wallet or a limit does not allow it', async () => {
    const { buyer, product } = await meet('serial_pool', { units: 4 });
    const quote_id = await quote(buyer, { product_id: product.id });
    const most = await buy(buyer, { quote_id, max_total_due: 1 });
    expect([most.status, most.body.error]).to.deep.equal([409, 'price_changed']);
    const rich = await platform.product(await platform.agent(), { price: 4.5 });
    expect((await buy(buyer, { product_id: rich.id })).status).to.equal(200);
    const poor = await buy(buyer, { quote_id });
    expect([poor.status, poor.body.error]).to.deep.equal([402, 'insufficient_balance']);
    expect(poor.body.details.missing).to.be.closeTo(0.55, 1e-9);
    await platform.fund(buyer.id, 0.55);
    await platform.request(`POST /agent/monitor/${buyer.id}/policy`, {
      key: buyer.key,
      body: { max_spend_per_tx: 1 },
    });
    expect((await buy(buyer, { quote_id })).body.error).to.equal('tx_limit_exceeded');
    await platform.request(`POST /agent/monitor/${buyer.id}/policy`, {
      key: buyer.key,
      body: { max_spend_per_tx: 2 },
    });
    expect((await buy(buyer, { quote_id })).body.total_due).to.equal(1.1);
    expect(await platform.balance(buyer)).to.equal(0);
  });

  it('takes only cash where its product took only cash then', async () => {
    const { seller, buyer, product } = await meet('unlimited', { usd: 0, price: 0.1 });
    await change(seller, product, { accepts_credit: false });
    const poor = await preview(buyer, { product_id: product.id });
    expect(poor.body).to.include({ held: false, not_held: 'not_affordable', affordable: false });
    await platform.fund(buyer.id, 0.11);
    const first = await quote(buyer, { product_id: product.id });
    expect((await buy(buyer, { product_id: product.id })).status).to.equal(200);
    await change(seller, product, { accepts_credit: true });
    const { body: refused } = await buy(buyer, { quote_id: first });
    expect([refused.error, refused.details.missing]).to.deep.equal(['insufficient_balance', 0.11]);
    await platform.fund(buyer.id, 0.11);
    expect((await buy(buyer, { quote_id: first })).status).to.equal(200);
    const { body } = await platform.request('GET /api/v1/wallet', { key: buyer.key });
    expect(body).to.include({ credit: 0.5, cash: 0 });
  });

  it('does not sell what an operator has stopped, or what its seller has left behind', async () => {
    const { seller, buyer, product } = await meet('serial_pool');
    const quote_id = await quote(buyer, { product_id: product.id });
    const product_is = `update product set status = $2 where id = $1`;
    const account_is = 'update agent set closed_at = $2 where id = $1';
    for (const [sql, id, stopped, again] of [
      [product_is, product.id, 'suspended', 'approved'],
      [product_is, product.id, 'rejected', 'approved'],
      [account_is, seller.id, new Date(), null],
    ] as const) {
      await platform.query(sql, [id, stopped]);
      const { body } = await buy(buyer, { quote_id });
      expect(body.error).to.equal('product_unavailable');
      expect(await platform.balance(buyer)).to.equal(5.5);
      await platform.query(sql, [id, again]);
    }
    await platform.query(`update product set status = 'archived' where id = $1`, [product.id]);
    expect((await buy(buyer, { quote_id })).status).to.equal(200);
  });
});
