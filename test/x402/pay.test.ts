import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { asOwner } from '../as_owner.ts';
import { eventually, type Reply } from '../harness.ts';
import { setPolicy } from '../policy.ts';
import { openScene, payer, payerV1, requiredBy, settlementOf, type Scene } from './scene.ts';
import { paidBy } from './signed.ts';

describe('a payment by x402', () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene();
  });
  after(() => scene.close());

  const seller = async (price: number, units = 1) => {
    const agent = await scene.platform.agent();
    const items = Array.from({ length: units }, (_, n) => `KEY-${n}-${agent.id}`);
    return scene.platform.product(agent, { price, items });
  };

  it('buys what the wallet of a key cannot, with the missing amount, on the real chain', async () => {
    const { platform, evm, payTo } = scene;
    const buyer = await platform.agent(); // with its $0.50
    const product = await seller(1);
    const body = { product_id: product.id };
    const refused = await platform.request('POST /api/v1/orders', { key: buyer.key, body });
    expect([refused.status, refused.body.error]).to.deep.equal([402, 'insufficient_balance']);
    expect(requiredBy(refused).accepts[0].amount).to.equal('600000'); // $1.10 - $0.50

    const mira = await payer(scene);
    const bought = await mira.request('POST /api/v1/orders', { key: buyer.key, body });
    expect([bought.status, bought.body.total_due]).to.deep.equal([200, 1.1]);
    const settled = settlementOf(bought);
    expect(settled).to.include({ success: true, payer: mira.address, network: 'eip155:8453' });
    expect(await evm.balanceOf(payTo)).to.equal(600_000n);
    expect(await platform.balance(buyer)).to.equal(0);
    // Who has a key opens the vault, and may give back unseen what it has not opened.
    expect(bought.body).not.to.have.property('items');
    const order = `POST /api/v1/orders/${bought.body.order_id}/refund`;
    expect((await platform.request(order, { key: buyer.key })).body.status).to.equal('refunded');
    expect(await platform.balance(buyer)).to.equal(1.1);
  });

  it('with the key of a child is in the wallet of its owner', async () => {
    const { platform } = scene;
    const owner = await platform.agent(); // with its $0.50
    const child = await childOf(platform, owner);
    const body = { product_id: (await seller(1)).id };
    const mira = await payer(scene);
    const bought = await mira.request('POST /api/v1/orders', { key: child.key, body });
    expect([bought.status, settlementOf(bought).amount]).to.deep.equal([200, '600000']);
    expect(await platform.balance(owner)).to.equal(0);
  });

  it('is not asked for where the policy of the key forbids the seller', async () => {
    const { platform } = scene;
    const buyer = await platform.agent();
    await setPolicy(platform, buyer, { min_seller_buyers: 1 });
    const call = { key: buyer.key, body: { product_id: (await seller(1)).id } };
    const refused = await platform.request('POST /api/v1/orders', call);
    expect([refused.status, refused.body.error]).to.deep.equal([403, 'seller_not_allowed']);
    expect(refused.headers.get('payment-required')).to.equal(null);
    const { wallet } = await payer(scene);
    const headers = await paidBy(scene, wallet, { usd: 0.6 });
    const paid = await platform.request('POST /api/v1/orders', { ...call, headers });
    // One that is sent nevertheless stays in the wallet.
    expect([paid.status, paid.body.payment.in_wallet]).to.deep.equal([403, true]);
    expect(await platform.balance(buyer)).to.equal(1.1);
  });

  it('is as much as cash lacks where credit does not pay, and nothing less is settled', async () => {
    const { platform } = scene;
    const buyer = await platform.agent(); // with its $0.50 of credit
    const terms = { price: 0.8, items: ['KEY'], accepts_credit: false };
    const product = await platform.product(await platform.agent(), terms);
    const body = { product_id: product.id };
    const mira = await payer(scene);
    const call = { key: buyer.key, body };
    const headers = await paidBy(scene, mira.wallet, { usd: 0.5 });
    const few = await platform.request('POST /api/v1/orders', { ...call, headers });
    expect([few.body.error, few.body.details.amount_due]).to.deep.equal(['payment_invalid', 0.88]);
    const bought = await mira.request('POST /api/v1/orders', call);
    expect([bought.status, settlementOf(bought).amount]).to.deep.equal([200, '880000']);
    expect(await platform.balance(buyer)).to.equal(0.5);
  });

  it('is not asked for where it would be more than is credited before a block is final', async () => {
    const { platform } = scene;
    const body = { product_id: (await seller(100)).id };
    const asked = await platform.request('POST /x402/api/v1/orders', { body });
    expect([asked.status, asked.body.details.amount_due, asked.body.accepts]).to.deep.equal([
      402,
      110,
      undefined,
    ]);
    expect(asked.body.message).to.contain('$100 at most');
    expect(asked.headers.get('payment-required')).to.equal(null);
  });

  it('fills the escrow of a labor task', async () => {
    const mira = await payer(scene);
    const { key } = await scene.platform.agent();
    const units = [{ payload: 'cat.png' }, { payload: 'dog.png' }];
    const task = { kind: 'labeling', title: 'Name it', instructions: 'One word.', units };
    const body = { ...task, reward: 0.15, overlap: 2 };
    // Who has no account could not read the results.
    const refused = await scene.platform.request('POST /x402/api/v1/labor', { body });
    expect(refused.status).to.equal(404);
    const headers = await paidBy(scene, mira.wallet, { usd: 0.6 });
    const keyless = await scene.platform.request('POST /api/v1/labor', { body, headers });
    expect([keyless.status, keyless.body.error]).to.deep.equal([401, 'authentication_required']);
    const posted = await mira.request('POST /api/v1/labor', { key, body });
    expect([posted.status, settlementOf(posted).amount], posted.text).to.deep.equal([
      200,
      '100000', // beside its $0.50
    ]);
  });

  it('serves a payer without an account, who has one from then on', async () => {
    const { platform, evm, payTo } = scene;
    const before = await evm.balanceOf(payTo);
    const product = await seller(0.5, 2);
    const mira = await payer(scene);
    const body = { product_id: product.id };
    const bought = await mira.request('POST /x402/api/v1/orders', { body });
    expect([bought.status, bought.body.status]).to.deep.equal([200, 'escrow']);
    expect((await evm.balanceOf(payTo)) - before).to.equal(550_000n);

    expect(bought.body.items[0].content).to.match(/KEY-/);
    const again = await platform.request('POST /x402/api/v1/orders', {
      body,
      headers: { 'payment-signature': mira.sent() },
    });
    expect(again.text).to.equal(bought.text);

    // A payment for a call gives no right over the account of the payer.
    const made = await platform.request('POST /x402/api/v1/agent/keys', {
      body: { scopes: ['read'] },
    });
    expect(made.status).to.equal(404);
    // Its seller is not told the address that paid.
    const [order] = await platform.query('select buyer_id::int from orders where id = $1', [
      bought.body.order_id,
    ]);
    expect(order.buyer_id).to.be.above(0);
    expect(bought.text).not.to.include(mira.address);
  });

  it('opens one account for two payments at once that are the first of an address', async () => {
    const { platform } = scene;
    const { wallet, address } = await payer(scene);
    const headers = [await paidBy(scene, wallet), await paidBy(scene, wallet)];
    let replies: Promise<Reply[]> | undefined;
    // Both find that there is no account before one of them opens it.
    await asOwner(platform, 'begin; lock table agent in share mode', async () => {
      replies = Promise.all(
        headers.map((sent) =>
          platform.request('GET /x402/api/v1/email/validate/not-an-address', { headers: sent }),
        ),
      );
      await eventually(
        () => platform.query(OPENING),
        ([{ waiting }]) => waiting === 2,
      );
    });
    const bodies = (await replies!).map(({ body }) => body.charged);
    expect(bodies).to.deep.equal([0.002, 0.002]);
    const sql = `select count(distinct x.agent_id)::int as accounts, count(j.fault)::int as faults
                   from x402_payment p join x402_account x on x.address = p.payer
                   join job j on j.id = p.job_id where p.payer = $1`;
    expect(await platform.query(sql, [address])).to.deep.equal([{ accounts: 1, faults: 0 }]);
  });

  it('is found by clients: what is for sale, and where to pay', async () => {
    const { platform, payTo } = scene;
    const { body } = await platform.request('GET /.well-known/x402');
    expect(body.resources).to.include('http://localhost:0/x402/api/v1/orders');
    expect(body.accepts[0]).to.include({ network: 'eip155:8453', payTo });
    for (const { method, resource } of body.items) {
      const path = new URL(resource).pathname.replaceAll(/%7B\w+%7D/g, '1');
      const asked = await fetch(platform.url + path, { method });
      expect([402, 404, 422], `${method} ${path}`).to.include(asked.status);
    }
    const { paths } = (await platform.request('GET /openapi.json')).body;
    const priceOf = (path: string, method: string) =>
      paths[`/x402/api/v1/${path}`][method]['x-payment-info'].price;
    const fixed = { mode: 'fixed', amount: '0.002', currency: 'USD' };
    expect(priceOf('email/validate/{email}', 'get')).to.deep.equal(fixed);
    const most = { mode: 'dynamic', min: '0.002', max: '2', currency: 'USD' };
    expect(priceOf('email/validate', 'post')).to.deep.equal(most);
    expect(priceOf('orders', 'post')).to.deep.equal({
      mode: 'dynamic',
      min: '0.001',
      currency: 'USD',
    });
    for (const { method, resource } of body.items) {
      const listed = paths[decodeURI(new URL(resource).pathname)][method.toLowerCase()];
      expect(listed.security, resource).to.deep.equal([]);
    }
    const agent = await platform.agent();
    const { deposit_methods } = (await platform.request('GET /api/v1/wallet', agent)).body;
    const method = deposit_methods.find(({ rail }: { rail: string }) => rail === 'x402');
    expect(method).to.deep.equal({
      rail: 'x402',
      enabled: true,
      network: 'sandbox',
      address: payTo,
    });
  });

  it('of version 1 is asked for in the body, and served', async () => {
    const { platform } = scene;
    const route = 'GET /x402/api/v1/email/validate/not-an-address';
    const asked = await platform.request(route);
    expect([asked.status, asked.body.x402Version]).to.deep.equal([402, 1]);
    expect(asked.body.accepts[0]).to.include({ network: 'base', maxAmountRequired: '2000' });
    const mira = await payerV1(scene);
    const paid = await mira.request(route);
    expect([paid.status, paid.body.charged]).to.deep.equal([200, 0.002]);
    const sent = JSON.parse(Buffer.from(mira.sent(), 'base64').toString());
    expect(sent).to.include({ x402Version: 1, scheme: 'exact', network: 'base' });
    const receipt = Buffer.from(paid.headers.get('x-payment-response')!, 'base64').toString();
    const payer = mira.address;
    expect(JSON.parse(receipt)).to.include({ success: true, network: 'base', payer });
  });

  it('leaves books that prove, with the chain', async () => {
    const { platform, evm, payTo } = scene;
    expect(await audit(platform.context.database)).to.deep.equal([]);
    const [{ sum }] = await platform.query(`select sum(amount) from x402_payment`);
    expect(BigInt(sum)).to.equal(await evm.balanceOf(payTo));
  });
});

/** How many transactions wait to open an account. */
const OPENING = `
  select count(*)::int as waiting from pg_locks
   where relation = 'agent'::regclass and mode = 'RowExclusiveLock' and not granted`;
