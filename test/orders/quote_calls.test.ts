import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { offer, rotate } from '../datasets/offer.ts';
import { TestPlatform } from '../harness.ts';
import { insertJobs, newJobId } from '../../shared/jobs/jobs.ts';
import { quotesOf } from './quoting.ts';

describe('a quote, in other calls', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open()));
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });
  const { meet, quote, preview, buy } = quotesOf(() => platform);

  it('is answered again to a call with its Idempotency-Key, and bought once', async () => {
    const { buyer, product } = await meet('counted', { units: 5 });
    const headers = { 'idempotency-key': 'preview-1' };
    const first = await preview(buyer, { product_id: product.id }, headers);
    const again = await preview(buyer, { product_id: product.id }, headers);
    expect(again.text).to.equal(first.text);
    const { quote_id } = first.body;
    const paid = { 'idempotency-key': 'buy-1' };
    const bought = await buy(buyer, { quote_id }, paid);
    const replayed = await buy(buyer, { quote_id }, paid);
    expect(replayed.text).to.equal(bought.text);
    expect(replayed.headers.get('idempotent-replayed')).to.equal('true');
    expect((await buy(buyer, { quote_id }, { 'idempotency-key': 'buy-2' })).status).to.equal(409);
    expect(await platform.balance(buyer)).to.be.closeTo(4.4, 1e-9);
  });

  it('is not used up by a dry run', async () => {
    const { buyer, product } = await meet('serial_pool');
    const quote_id = await quote(buyer, { product_id: product.id });
    for (let n = 0; n < 2; n += 1) {
      const { body } = await buy(buyer, { quote_id, dry_run: true });
      expect(body).to.deep.include({ would: 'succeed', takes: 1.1, refusal: null });
    }
    expect((await buy(buyer, { quote_id })).status).to.equal(200);
    const { body } = await buy(buyer, { quote_id, dry_run: true });
    expect([body.would, body.refusal.error]).to.deep.equal(['be_refused', 'invalid_transition']);
  });

  it('is over when its data was replaced', async () => {
    const seller = await platform.agent();
    const buyer = await platform.agent({ usd: 5 });
    const { dataset_id, product_id } = await offer(platform, seller, { price: 1 });
    const first = await quote(buyer, { product_id });
    expect((await buy(buyer, { quote_id: first })).status).to.equal(200);
    const late = await quote(buyer, { product_id });
    await rotate(platform, seller, dataset_id, { data: [{ is: 'new' }] });
    const before = await platform.balance(buyer);
    const { status, body } = await buy(buyer, { quote_id: late });
    expect([status, body.error]).to.deep.equal([409, 'invalid_transition']);
    expect(body.message).to.contain('The data was replaced');
    expect(await platform.balance(buyer)).to.equal(before);
  });

  it('is not bought at another price by a worker of the release before', async () => {
    const { buyer, product } = await meet('unlimited');
    const quote_id = await quote(buyer, { product_id: product.id });
    const { database, clock, secrets } = platform.context;
    const job = {
      id: newJobId(clock.now()),
      operation: 'purchase_product',
      agentId: buyer.id,
      rootId: buyer.id,
      input: { product_id: product.id, quote_id },
      hash: secrets.hash('test', 'test').hash,
      requestId: 'req_before',
      runAt: new Date(clock.now().getTime() + 3_600_000),
    };
    await insertJobs(database, [job]);
    const before = 'select purchase_alone($1, $2, $3, 1, null, null) as answer';
    const sold = await platform.query(before, [job.id, buyer.id, product.id]);
    expect(sold).to.deep.equal([{ answer: null }]);
    expect(await platform.balance(buyer)).to.equal(5.5);
    await platform.query('delete from job where id = $1', [job.id]);
  });

  it('is bought by a tool call, with and without its product', async () => {
    const { buyer, product } = await meet('unlimited');
    const call = (name: string, parameters: object) =>
      platform.request('POST /api/v1/mcp/call', { key: buyer.key, body: { name, parameters } });
    for (const named of [{}, { product_id: product.id }]) {
      const asked = await call('prepare_purchase_payload', { product_id: product.id });
      const { quote_id } = asked.body.structuredContent;
      const bought = await call('purchase_product', { quote_id, ...named });
      expect(bought.body.structuredContent, bought.text).to.include({ order_id: quote_id });
    }
    const none = await call('purchase_product', {});
    expect(none.body.structuredContent.details.fields).to.deep.equal([
      { pointer: '/product_id', message: 'is missing' },
    ]);
  });
});
