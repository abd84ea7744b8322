import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { inQueue } from '../in_queue.ts';

const OPERATOR = 'operator-token-of-the-tests';

describe('review_product', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ env: { AUTO_APPROVE_PRODUCTS: 'false' } });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const review = (id: number, decision: string, note?: string, key = OPERATOR) =>
    platform.request(`POST /api/v1/admin/products/${id}/review`, {
      key,
      body: { decision, ...(note !== undefined && { note }) },
    });
  /** A product brought to a status by these decisions. */
  async function reviewed(...decisions: string[]) {
    const { id } = await platform.product(await platform.agent());
    for (const decision of decisions) expect((await review(id, decision)).status).to.equal(200);
    return id;
  }

  it('decides what can be bought', async () => {
    const buyer = await platform.agent({ usd: 10 });
    const buy = async (id: number) => {
      const { body } = await platform.request('POST /api/v1/orders', {
        key: buyer.key,
        body: { product_id: id },
      });
      return body.error ?? body.status;
    };
    const id = await reviewed();
    expect(await buy(id)).to.equal('product_unavailable');
    expect(await platform.balance(buyer)).to.equal(10.5);

    const { status, body } = await review(id, 'approve', ' Fine.\u200b ');
    expect(status).to.equal(200);
    expect(body).to.include({ product_id: id, status: 'approved', review_note: ' Fine.\u200b ' });
    expect(await buy(id)).to.equal('escrow');

    expect((await review(id, 'suspend')).body).to.include({
      status: 'suspended',
      review_note: null,
    });
    expect(await buy(id)).to.equal('product_unavailable');
  });

  it('is an event for the seller', async () => {
    const seller = await platform.agent();
    const { id } = await platform.product(seller);
    for (const decision of ['approve', 'suspend']) await review(id, decision, 'Looked at.');
    expect((await review(id, 'suspend')).status).to.equal(409);
    const path = 'GET /api/v1/events?type=product.*';
    const { events } = (await platform.request(path, { key: seller.key })).body;
    const seen = (events as Record<string, unknown>[]).map(({ type, object, data }) => [
      type,
      object,
      data,
    ]);
    const told = (status: string) => [
      `product.${status}`,
      { kind: 'product', id, status },
      { product_id: id, by_operator: true },
    ];
    expect(seen).to.deep.equal([told('approved'), told('suspended')]);
  });

  it('goes only where a product may go from where it is', async () => {
    const allowed = {
      '': ['approve', 'reject'],
      approve: ['suspend'],
      reject: [],
      'approve suspend': ['approve'],
    };
    for (const [path, possible] of Object.entries(allowed)) {
      for (const decision of ['approve', 'reject', 'suspend']) {
        const id = await reviewed(...path.split(' ').filter(Boolean));
        const { status, body } = await review(id, decision);
        const expected = (possible as string[]).includes(decision) ? 200 : 409;
        expect(status, `${path} ${decision}`).to.equal(expected);
        if (status === 409) expect(body.error).to.equal('invalid_transition');
      }
    }
  });

  it('lets one of several operators decide', async () => {
    const id = await reviewed();
    const replies = await inQueue(platform, `select from product where id = ${id} for update`, [
      () => review(id, 'approve'),
      () => review(id, 'reject'),
    ]);
    expect(replies.map(({ status }) => status)).to.deep.equal([200, 409]);
  });

  it('judges no other version than the one that was looked at', async () => {
    const seller = await platform.agent();
    const { id } = await platform.product(seller);
    const judge = (seen: number) =>
      platform.request(`POST /api/v1/admin/products/${id}/review`, {
        key: OPERATOR,
        body: { decision: 'approve', version: seen },
      });
    const edit = { key: seller.key, body: { description: 'Something else altogether.' } };
    const edited = await platform.request(`PATCH /api/v1/products/${id}`, edit);
    expect(edited.body.version).to.equal(2);

    const late = await judge(1);
    expect(late.status).to.equal(409);
    expect(late.body).to.deep.include({
      error: 'invalid_transition',
      details: { version: 2 },
    });
    expect((await judge(2)).body).to.include({ status: 'approved' });
  });

  it('refuses agents, unknown products and unknown decisions', async () => {
    const seller = await platform.agent();
    const { id } = await platform.product(seller);
    expect((await review(id, 'approve', undefined, seller.key)).body.error).to.equal('invalid_key');
    expect((await review(2_000_000_000, 'approve')).body.error).to.equal('not_found');
    expect((await review(id, 'delete')).body.error).to.equal('validation_error');
    expect((await review(id, 'approve', 'x'.repeat(501))).body.error).to.equal('validation_error');
  });
});
