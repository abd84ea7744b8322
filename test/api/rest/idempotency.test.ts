import { expect } from 'chai';

import { TestPlatform } from '../../harness.ts';

describe('an Idempotency-Key', () => {
  let platform: TestPlatform;
  let buyer: { key: string };
  let product_id: number;

  before(async () => {
    platform = await TestPlatform.open();
    const seller = await platform.agent();
    buyer = await platform.agent({ usd: 1_000 });
    ({ id: product_id } = await platform.product(seller, {
      stock_kind: 'unlimited',
      content: 'It.',
    }));
  });
  after(() => platform.close());

  const buy = (headers: Record<string, string>, body: object = { product_id }) =>
    platform.request('POST /api/v1/orders', { key: buyer.key, body, headers });

  const bytes = async (reply: Promise<{ text: string }>) => (await reply).text;

  it('answers a repeat with the same bytes, and marks it as a repeat', async () => {
    const headers = { 'idempotency-key': 'bytes' };
    const first = await buy(headers);
    const second = await buy(headers);
    expect(first.headers.get('idempotent-replayed')).to.equal(null);
    expect(second.headers.get('idempotent-replayed')).to.equal('true');
    expect(second.text).to.equal(first.text);
    const [job] = await platform.query(`select id from job where key = 'bytes'`);
    const { body } = await platform.request(`GET /api/v1/jobs/${job.id}`, buyer);
    expect(JSON.stringify(body.result)).to.equal(first.text);
  });

  it('makes one purchase of ten simultaneous ones', async () => {
    const before = await platform.balance(buyer);
    const headers = { 'idempotency-key': 'ten' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => bytes(buy(headers))));
    expect(new Set(answers).size).to.equal(1);
    expect(before - (await platform.balance(buyer))).to.be.closeTo(1.1, 1e-9);
  });

  it('repeats a refusal with its first request id and the status it had', async () => {
    const headers = { 'idempotency-key': 'refused' };
    const missing = { product_id: 2 ** 31 - 1 };
    const first = await buy(headers, missing);
    const second = await buy(headers, missing);
    expect([second.status, second.text]).to.deep.equal([404, first.text]);
    expect(second.headers.get('x-request-id')).to.not.equal(first.body.request_id);
  });

  it('stands for one call: another one is idempotency_conflict', async () => {
    const headers = { 'idempotency-key': 'one-call' };
    await buy(headers);
    const { status, body } = await buy(headers, { product_id, quantity: 2 });
    expect([status, body.error]).to.deep.equal([422, 'idempotency_conflict']);
  });

  it('must be 1 to 255 visible characters', async () => {
    for (const key of ['', 'a b', 'é', 'k'.repeat(256)]) {
      const { status, body } = await buy({ 'idempotency-key': key });
      expect([status, body.error], key).to.deep.equal([422, 'validation_error']);
    }
    expect((await buy({ 'idempotency-key': 'k'.repeat(255) })).status).to.equal(200);
  });
});
