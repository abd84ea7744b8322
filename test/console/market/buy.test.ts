import { expect } from 'chai';

import { childOf } from '../../agents/child.ts';
import { TestPlatform } from '../../harness.ts';
import { audit } from '../../../shared/composition/audit.ts';
import { setPolicy } from '../../policy.ts';
import { BrowserLike, owner, PASSWORD } from '../browser_like.ts';

describe('/console/buy', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  const DO = '/console/do/purchase_product';
  const TEXT = { stock_kind: 'unlimited', content: 'open' };
  const walletOf = async ({ key }: { key: string }) =>
    (await platform.request('GET /api/v1/wallet', { key })).body.balance as number;

  it('asks whoever is not signed in to do so, and comes back to the product', async () => {
    const { id } = await platform.product(await platform.agent());
    const { status, location } = await new BrowserLike(platform).get(`/console/buy/${id}`);
    expect([status, location]).to.deep.equal([303, `/console/login?next=%2Fconsole%2Fbuy%2F${id}`]);
  });

  it('buys for the total that it shows, once, and leads to the order', async () => {
    const { id } = await platform.product(await platform.agent(), { ...TEXT, price: 0.5 });
    const { browser, agent } = await owner(platform, { usd: 5 });
    const before = await walletOf(agent);
    const page = await browser.get(`/console/buy/${id}?quantity=3`);
    expect(page.text).to.contain('Buy for $1.65').and.contain('3 ×');
    const bought = await browser.submit(page, DO);
    expect(bought.status).to.equal(303);
    expect(bought.location).to.match(/^\/console\/orders\/\d+\?done=purchase_product$/);
    // The same form again, as after a double click.
    expect((await browser.submit(page, DO)).location).to.equal(bought.location);
    expect(await walletOf(agent)).to.be.closeTo(before - 1.65, 1e-9);
    const order = await browser.get(bought.location!);
    expect(order.text).to.contain(`href="/market/products/${id}"`);
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });

  it('buys nothing when the price has risen since the page was shown', async () => {
    const seller = await platform.agent();
    const { id } = await platform.product(seller, { ...TEXT, price: 0.5 });
    const { browser, agent } = await owner(platform, { usd: 5 });
    const before = await walletOf(agent);
    const page = await browser.get(`/console/buy/${id}`);
    const body = { price: 0.6 };
    await platform.request(`PATCH /api/v1/products/${id}`, { key: seller.key, body });
    const refused = await browser.submit(page, DO);
    expect(refused.status).to.be.within(400, 499);
    expect(refused.text).to.contain('role="alert"').and.contain('Buy for $0.66');
    expect(await walletOf(agent)).to.equal(before);
  });

  it('holds the owner to its own policy, and says how to add money', async () => {
    const { id } = await platform.product(await platform.agent(), { ...TEXT, price: 3 });
    const { browser, agent } = await owner(platform, { usd: 1 });
    const poor = await browser.submit(await browser.get(`/console/buy/${id}`), DO);
    expect([poor.status, poor.text.includes('href="/console/add"')]).to.deep.equal([402, true]);
    expect(poor.text).to.contain('This costs $3.30 and the wallet holds');
    await platform.fund(agent.id, 20);
    const policy = { max_spend_per_tx: 2 };
    await platform.request(`POST /agent/monitor/${agent.id}/policy`, {
      key: agent.key,
      body: policy,
    });
    const limited = await browser.submit(await browser.get(`/console/buy/${id}`), DO);
    expect(limited.status).to.equal(402);
    expect(limited.text).to.contain('tx_limit_exceeded');
  });

  it('is led to from what an agent asks to buy, and from the number of the product', async () => {
    const { id } = await platform.product(await platform.agent(), { ...TEXT, price: 2 });
    const { browser, agent } = await owner(platform, { usd: 10 });
    const child = await childOf(platform, agent);
    await setPolicy(platform, child, { approval_threshold: 1_000_000n });
    const body = { product_id: id };
    const { status } = await platform.request('POST /api/v1/orders', { key: child.key, body });
    expect(status).to.equal(202);
    const link = `href="/market/products/${id}"`;
    expect((await browser.get('/console/todo')).text).to.contain(link);
    expect((await browser.get(`/console/find?query=${id}`)).text).to.contain(link);
    expect((await browser.get(`/market/products/${id}`)).text).to.contain(`/console/buy/${id}`);
  });

  it('asks for a fresh proof above $100, and where the form does not say the most', async () => {
    const { id } = await platform.product(await platform.agent(), { ...TEXT, price: 95 });
    const { browser } = await owner(platform, { usd: 400 });
    const page = await browser.get(`/console/buy/${id}`);
    await platform.query(`update web_session set proved_at = now() - interval '11 minutes'`);
    const asked = await browser.submit(page, DO);
    expect([asked.status, asked.text.includes('Prove that it is you')]).to.deep.equal([403, true]);
    for (const max_total_due of ['', ' ', 'x', '100.01']) {
      const { status } = await browser.post(DO, { product_id: String(id), max_total_due });
      expect(status, max_total_due).to.equal(403);
    }
    // A limit that needs no proof buys nothing that costs more.
    const below = await browser.post(DO, { product_id: String(id), max_total_due: '100' });
    expect(below.status).to.be.within(400, 499).and.not.equal(403);
    expect((await browser.submit(page, DO, { _secret: PASSWORD })).status).to.equal(303);
  });
});
