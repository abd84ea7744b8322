import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { insertJobs, newJobId } from '../../shared/jobs/jobs.ts';
import { runBatch } from '../../workers/run_batch.ts';
import { TestPlatform } from '../harness.ts';

const UNLIMITED = { stock_kind: 'unlimited', content: 'open' };

describe('the terms of a purchase', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open()));
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const put = (path: string, { key }: { key: string }, body: object) =>
    platform.request(`PATCH ${path}`, { key, body });
  const purchase = ({ key }: { key: string }, body: object) =>
    platform.request('POST /api/v1/orders', { key, body });

  /**
   * One batch of purchases by an agent: the credit and cash of each, or its refusal. The SQL of
   * batches buys those that are bought; what it leaves out is refused.
   */
  async function batch(agent: { id: number }, inputs: readonly object[]) {
    const { database, clock, secrets } = platform.context;
    const { hash } = secrets.hash('test', 'test');
    const tree = { agentId: agent.id, rootId: agent.id };
    const jobs = inputs.map((input) => ({
      ...tree,
      id: newJobId(clock.now()),
      operation: 'purchase_product',
      input,
      hash,
      requestId: 'req_terms',
    }));
    await insertJobs(database, jobs);
    const ids = jobs.map(({ id }) => id);
    const bought = await platform.query('select id from perform_purchases($1)', [ids]);
    await runBatch(platform.context, { queue: 'money', operation: 'purchase_product', ids });
    const rows = await platform.query(
      `select coalesce(job.answer ->> 'error', o.credit || '+' || o.cash) as outcome
         from job left join orders o on o.job_id = job.id where job.id = any ($1) order by job.id`,
      [ids],
    );
    const outcomes: string[] = rows.map(({ outcome }: { outcome: string }) => outcome);
    expect(outcomes.filter((outcome) => outcome.includes('+'))).to.have.length(bought.length);
    return outcomes;
  }

  describe('max_total_due', () => {
    it('buys at the price or below it, and nothing above it', async () => {
      const seller = await platform.agent();
      const { id } = await platform.product(seller, { price: 1, ...UNLIMITED });
      const buyer = await platform.agent({ usd: 5 });
      const bought = await purchase(buyer, { product_id: id, max_total_due: 1.1 });
      expect([bought.status, bought.body.total_due]).to.deep.equal([200, 1.1]);
      await put(`/api/v1/products/${id}`, seller, { price: 1.000001 });
      const before = await platform.balance(buyer);
      const refused = await purchase(buyer, { product_id: id, max_total_due: 1.1 });
      expect([refused.status, refused.body.error]).to.deep.equal([409, 'price_changed']);
      expect(refused.body.details).to.include({ total_due: 1.100001, max_total_due: 1.1 });
      expect(await platform.balance(buyer)).to.equal(before);
      expect((await purchase(buyer, { product_id: id })).status).to.equal(200);
    });

    it('is no reason to refuse where it is the very price', async () => {
      const seller = await platform.agent();
      const { id } = await platform.product(seller, { price: 1 });
      const buyer = await platform.agent({ usd: 5 });
      const input = { product_id: id, max_total_due: 1.1 };
      expect((await purchase(buyer, input)).status).to.equal(200);
      expect((await purchase(buyer, input)).body.error).to.equal('out_of_stock');
    });

    it('holds in a batch, call by call', async () => {
      const seller = await platform.agent();
      const { id: product_id } = await platform.product(seller, { price: 1, ...UNLIMITED });
      const buyer = await platform.agent({ usd: 5 });
      const inputs = [1.1, 1.099999, 2.2].map((max_total_due) => ({ product_id, max_total_due }));
      const outcomes = await batch(buyer, inputs);
      expect(outcomes).to.deep.equal(['500000+600000', 'price_changed', '0+1100000']);
    });

    it('does not bind the key: the same call passes when the price is back', async () => {
      const seller = await platform.agent();
      const { id } = await platform.product(seller, { price: 2, ...UNLIMITED });
      const buyer = await platform.agent({ usd: 5 });
      const call = () =>
        platform.request('POST /api/v1/orders', {
          key: buyer.key,
          body: { product_id: id, max_total_due: 1.1 },
          headers: { 'idempotency-key': 'one-key' },
        });
      expect((await call()).status).to.equal(409);
      await put(`/api/v1/products/${id}`, seller, { price: 1 });
      expect((await call()).status).to.equal(200);
    });
  });

  describe('a product that takes no credit', () => {
    it('is paid in cash, and refused when there is too little of that', async () => {
      const seller = await platform.agent();
      const { id } = await platform.product(seller, {
        price: 1,
        ...UNLIMITED,
        accepts_credit: false,
      });
      const poor = await platform.agent({ usd: 1 }); // and $0.50 of credit
      const preview = await platform.request('POST /api/v1/orders/preview', {
        key: poor.key,
        body: { product_id: id },
      });
      expect(preview.body.affordable).to.equal(false);
      const refused = await purchase(poor, { product_id: id });
      expect([refused.status, refused.body.error]).to.deep.equal([402, 'insufficient_balance']);
      expect(refused.body.details).to.deep.include({ required: 1.1, balance: 1, missing: 0.1 });
      expect(await platform.balance(poor)).to.equal(1.5);

      const rich = await platform.agent({ usd: 2 });
      const { body } = await purchase(rich, { product_id: id });
      const order = await platform.request(`GET /api/v1/orders/${body.order_id}`, {
        key: seller.key,
      });
      expect(order.body).to.include({ credit: 0, cash: 1.1, total_due: 1.1 });
    });

    it('leaves the credit to other products of the same batch', async () => {
      const seller = await platform.agent();
      const free = await platform.product(seller, { price: 0.4, ...UNLIMITED });
      const strict = await platform.product(seller, {
        price: 1,
        ...UNLIMITED,
        accepts_credit: false,
      });
      const buyer = await platform.agent({ usd: 1.2 });
      const inputs = [strict, free, strict, free].map(({ id }) => ({ product_id: id }));
      expect(await batch(buyer, inputs)).to.deep.equal([
        '0+1100000',
        '440000+0',
        'insufficient_balance',
        'insufficient_balance',
      ]);
      expect(await platform.balance(buyer)).to.equal(0.16);

      // With its credit it could pay one.
      const poor = await platform.agent({ usd: 1 });
      const twice = [strict, strict].map(({ id }) => ({ product_id: id }));
      expect(await batch(poor, twice)).to.deep.equal([
        'insufficient_balance',
        'insufficient_balance',
      ]);
    });

    it('is chosen by its seller, shown to all, and changed without a new version', async () => {
      const seller = await platform.agent();
      const { id } = await platform.product(seller, { price: 0.1, ...UNLIMITED });
      const { body } = await put(`/api/v1/products/${id}`, seller, { accepts_credit: false });
      expect(body).to.include({ accepts_credit: false, version: 1 });
      const seen = await platform.request(`GET /api/v1/products/${id}`, {
        key: (await platform.agent()).key,
      });
      expect(seen.body.accepts_credit).to.equal(false);
      const buyer = await platform.agent();
      expect((await purchase(buyer, { product_id: id })).body.error).to.equal(
        'insufficient_balance',
      );
      await put(`/api/v1/products/${id}`, seller, { accepts_credit: true });
      expect((await purchase(buyer, { product_id: id })).status).to.equal(200);
    });
  });
});
