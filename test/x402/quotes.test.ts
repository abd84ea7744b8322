import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { openScene, payer, requiredBy, settlementOf, type Scene } from './scene.ts';
import { paidBy } from './signed.ts';

describe('a quote and a payment by x402', () => {
  let scene: Scene;
  before(async () => (scene = await openScene()));
  after(async () => {
    expect(await audit(scene.platform.context.database)).to.deep.equal([]);
    await scene.close();
  });

  /** A quote of $1.10, whose price is another now. */
  async function quoted() {
    const { platform } = scene;
    const seller = await platform.agent();
    const product = await platform.product(seller, { price: 1 });
    const buyer = await platform.agent({ usd: 0.6 });
    const preview = await platform.request('POST /api/v1/orders/preview', {
      key: buyer.key,
      body: { product_id: product.id },
    });
    expect(preview.body.held, preview.text).to.equal(true);
    await platform.request(`PATCH /api/v1/products/${product.id}`, {
      key: seller.key,
      body: { price: 2 },
    });
    return { buyer, quote_id: preview.body.quote_id as number };
  }

  it('pay together what the quote says', async () => {
    const { platform } = scene;
    const { buyer, quote_id } = await quoted();
    const other = await platform.product(await platform.agent(), { price: 0.5 });
    const spent = { key: buyer.key, body: { product_id: other.id } };
    expect((await platform.request('POST /api/v1/orders', spent)).status).to.equal(200);
    const call = { key: buyer.key, body: { quote_id } };
    const refused = await platform.request('POST /api/v1/orders', call);
    expect([refused.status, requiredBy(refused).accepts[0].amount]).to.deep.equal([402, '550000']);
    const bought = await (await payer(scene)).request('POST /api/v1/orders', call);
    expect([bought.status, bought.body.order_id, bought.body.total_due]).to.deep.equal([
      200,
      quote_id,
      1.1,
    ]);
    expect(settlementOf(bought).amount).to.equal('550000');
    expect(await platform.balance(buyer)).to.equal(0);
  });

  it('do not meet where there is no key, and nothing is paid', async () => {
    const { platform, evm, payTo } = scene;
    const { buyer, quote_id } = await quoted();
    const before = await evm.balanceOf(payTo);
    const { wallet } = await payer(scene);
    const headers = await paidBy(scene, wallet, { usd: 1.1 });
    const body = { quote_id };
    for (const sent of [{ body }, { body, headers }]) {
      const reply = await platform.request('POST /x402/api/v1/orders', sent);
      expect([reply.status, reply.body.error], reply.text).to.deep.equal([404, 'not_found']);
    }
    expect(await evm.balanceOf(payTo)).to.equal(before);
    const bought = await platform.request('POST /api/v1/orders', { key: buyer.key, body });
    expect(bought.status).to.equal(200);
  });

  it('that is over takes no payment', async () => {
    const { platform, evm, payTo } = scene;
    const { buyer, quote_id } = await quoted();
    await platform.query('update quote set expires_at = now() where id = $1', [quote_id]);
    const before = await evm.balanceOf(payTo);
    const { wallet } = await payer(scene);
    const headers = await paidBy(scene, wallet, { usd: 1.1 });
    const call = { key: buyer.key, body: { quote_id }, headers };
    const reply = await platform.request('POST /api/v1/orders', call);
    expect([reply.status, reply.body.error], reply.text).to.deep.equal([409, 'invalid_transition']);
    expect(await evm.balanceOf(payTo)).to.equal(before);
    expect(await platform.balance(buyer)).to.equal(1.1);
  });
});
