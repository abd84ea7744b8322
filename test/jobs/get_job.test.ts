import { expect } from 'chai';

import { childOf } from '../agents/child.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { buy, meet } from '../orders/trade.ts';

const ASYNC = { prefer: 'respond-async' };
const UNKNOWN = '01890000-0000-7000-8000-000000000000';

describe('get_job', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ schedules: true });
  });
  after(() => platform.close());

  const poll = (key: string | undefined, id: string, query = '') =>
    platform.request(`GET /api/v1/jobs/${id}${query}`, { key });
  const order = (key: string, body: object, headers: Record<string, string> = {}) =>
    platform.request('POST /api/v1/orders', { key, body, headers });
  /** A purchase without a waiting caller. Answers its job's id. */
  const startPurchase = async (key: string, body: object): Promise<string> =>
    (await order(key, body, ASYNC)).body.job_id;

  /** The bytes of a field that holds an object, as they were sent. */
  const bytesOf = (text: string, field: string) => {
    const from = text.indexOf(`"${field}":`) + field.length + 3;
    const after = text.indexOf(',"http_status"', from);
    return text.slice(from, after < 0 ? -1 : after);
  };

  it('gives the poll URL of a pending call, and the answer of a finished one', async () => {
    const { buyer, product } = await meet(platform);
    const { status, headers, body } = await order(buyer.key, { product_id: product.id }, ASYNC);
    expect(status).to.equal(202);
    const { job_id } = body;
    expect(body).to.deep.equal({ status: 'pending', job_id, poll: `/api/v1/jobs/${job_id}` });
    expect(job_id).to.match(
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(headers.get('location')).to.equal(`/api/v1/jobs/${job_id}`);
    expect(headers.get('retry-after')).to.equal('1');
    expect(headers.get('preference-applied')).to.equal('respond-async');

    const done = await poll(buyer.key, job_id, '?wait=20');
    expect(done.status).to.equal(200);
    expect(done.body).to.include({ job_id, operation: 'purchase_product', status: 'complete' });
    expect(done.body).not.to.have.any.keys('error', 'http_status');
    expect(done.body.result).to.include({ product_id: product.id, status: 'escrow' });
    expect(Date.parse(done.body.finished_at)).to.be.at.least(Date.parse(done.body.created_at));
  });

  it('gives the same bytes at once, by polling and by replay', async () => {
    const { buyer, product } = await meet(platform, { items: ['j1', 'j2'], price: 0.3 });
    const headers = { 'idempotency-key': 'same-bytes' };
    const atOnce = await order(buyer.key, { product_id: product.id }, headers);
    const replayed = await order(buyer.key, { product_id: product.id }, headers);
    expect(replayed.headers.get('idempotent-replayed')).to.equal('true');
    expect(replayed.text).to.equal(atOnce.text);
    const [{ id }] = await platform.query('select id from job where key = $1', ['same-bytes']);
    expect(bytesOf((await poll(buyer.key, id)).text, 'result')).to.equal(atOnce.text);
  });

  it('gives the same bytes of a refusal at once, by polling and by replay, with its status', async () => {
    const { seller, product } = await meet(platform);
    const headers = { 'idempotency-key': 'same-refusal' };
    const call = { product_id: product.id };
    const atOnce = await order(seller.key, call, headers);
    const replayed = await order(seller.key, call, headers);
    expect(atOnce.body.error).to.equal('self_purchase');
    expect([atOnce.status, replayed.status]).to.deep.equal([400, 400]);
    expect(replayed.text).to.equal(atOnce.text);
    expect(replayed.headers.get('x-request-id')).not.to.equal(atOnce.body.request_id);
    const [{ id }] = await platform.query('select id from job where key = $1', ['same-refusal']);
    const polled = await poll(seller.key, id);
    expect(polled.status).to.equal(200);
    expect(polled.body).to.include({ status: 'failed', http_status: 400 });
    expect(bytesOf(polled.text, 'error')).to.equal(atOnce.text);
    expect(polled.body).not.to.have.property('result');
  });

  it('shows a pending job as pending, and answers waiting callers when it is finished', async () => {
    const { buyer, product } = await meet(platform);
    await platform.pauseWorkers();
    const id = await startPurchase(buyer.key, { product_id: product.id });
    const now = await poll(buyer.key, id);
    expect(now.body).to.include({ status: 'pending', finished_at: null });
    const waiting = poll(buyer.key, id, '?wait=20');
    const preferring = platform.request(`GET /api/v1/jobs/${id}`, {
      key: buyer.key,
      headers: { prefer: 'wait=20' },
    });
    await platform.resumeWorkers();
    for (const { body } of await Promise.all([waiting, preferring])) {
      expect(body.status).to.equal('complete');
    }
  });

  it('answers pending when the wait preference is over', async () => {
    const { buyer, product } = await meet(platform);
    await platform.pauseWorkers();
    const id = await startPurchase(buyer.key, { product_id: product.id });
    const { status, body } = await poll(buyer.key, id, '?wait=1');
    expect([status, body.status]).to.deep.equal([200, 'pending']);
    await platform.resumeWorkers();
    await eventually(
      () => poll(buyer.key, id),
      (reply) => reply.body.status === 'complete',
    );
  });

  it('shows a job to its caller and the owners above it, and to no other agent', async () => {
    const { buyer, seller, product } = await meet(platform, { items: ['t1', 't2'] });
    const child = await childOf(platform, buyer);
    const childs = await startPurchase(child.key, { product_id: product.id });
    const owners = await startPurchase(buyer.key, { product_id: product.id });
    expect((await poll(child.key, childs)).status).to.equal(200);
    expect((await poll(buyer.key, childs)).status).to.equal(200);
    for (const [key, id] of [
      [child.key, owners],
      [seller.key, owners],
      [buyer.key, UNKNOWN],
      [buyer.key, 'x'.repeat(36)],
    ] as const) {
      expect((await poll(key, id)).body.error).to.equal('not_found');
    }
    expect((await poll(undefined, owners)).body.error).to.equal('authentication_required');
    expect((await poll(buyer.key, 'x')).body.error).to.equal('validation_error');
    expect((await poll(buyer.key, owners, '?wait=26')).body.error).to.equal('validation_error');
  });

  it("answers a key with any scope: a job is its caller's", async () => {
    const { buyer, product } = await meet(platform);
    const id = await startPurchase(buyer.key, { product_id: product.id });
    const seller = await platform.keyOf(buyer, ['sell']);
    expect((await poll(seller, id)).status).to.equal(200);
  });

  it('hides the jobs of the platform', async () => {
    const { buyer, product } = await meet(platform);
    await buy(platform, buyer, product);
    const [timer] = await eventually(
      (): Promise<{ id: string }[]> => platform.query('select id from job where agent_id = 0'),
      (found) => found.length > 0,
    );
    expect((await poll(buyer.key, timer!.id)).body.error).to.equal('not_found');
  });
});
