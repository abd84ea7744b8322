import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { offer, rotate } from '../datasets/offer.ts';
import { TestPlatform } from '../harness.ts';
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
