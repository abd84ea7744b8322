import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { offer } from '../datasets/offer.ts';
import { TestPlatform } from '../harness.ts';
import { act } from '../orders/deal.ts';
import { buy } from '../orders/trade.ts';
import { BrowserLike, operator, signedIn } from './browser_like.ts';

const ANN = { name: 'ann', secret: 'a-token-of-ann-for-the-tests-1' };

describe('the page of an order of a dataset', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ env: { OPERATOR_TOKENS: `${ANN.name}:${ANN.secret}` } });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  async function bought() {
    const [seller, buyer] = await Promise.all([platform.agent(), platform.agent({ usd: 5 })]);
    const { dataset_id: id, product_id } = await offer(platform, seller, { price: 0.1 });
    const order = await buy(platform, buyer, { id: product_id });
    return { seller, buyer, id, order, browser: await signedIn(platform, buyer) };
  }

  it('says what was bought, and leads to its rows once it was opened', async () => {
    const { seller, buyer, id, order, browser } = await bought();
    const path = `/console/orders/${order}`;
    const before = (await browser.get(path)).text;
    expect(before).to.contain(`Version 1 of dataset ${id}`).and.contain('Open the vault first');
    expect(before)
      .to.match(/<code>[0-9a-f]{64}<\/code>/)
      .and.not.contain('rows.csv');
    const early = await browser.get(`${path}/rows.csv`);
    expect(early.status).to.equal(409);
    const [{ revealed_at }] = await platform.query('select revealed_at from orders where id = $1', [
      order,
    ]);
    expect(revealed_at, 'a link opens nothing').to.equal(null);
    await act(platform, 'get_vault_item', { orderId: order, key: buyer.key });
    expect((await browser.get(path)).text).to.contain(`${path}/rows.parquet`);
    expect((await browser.get(`${path}/rows.csv`)).text).to.equal(
      'city,people\r\nOslo,717710\r\nBergen,291940\r\n',
    );
    expect((await new BrowserLike(platform).get(`${path}/rows.csv`)).status).to.equal(401);
    const sellers = await signedIn(platform, seller);
    expect((await sellers.get(path)).text)
      .to.contain('SHA-256')
      .and.not.contain('rows.csv');
    const other = await signedIn(platform, await platform.agent());
    expect((await other.get(`${path}/rows.csv`)).status).to.equal(404);
  });

  it('leads operators to what was sold, once it is disputed', async () => {
    const { order, buyer, seller } = await bought();
    const path = `/admin/disputes/order/${order}/dataset`;
    const ann = await operator(platform, ANN);
    expect((await ann.get(path)).status).to.equal(404);
    await act(platform, 'dispute_order', { orderId: order, key: buyer.key });
    await act(platform, 'respond_dispute', { orderId: order, key: seller.key });
    const page = await ann.get(`/admin/decisions?kind=order_disputes&id=${order}`);
    expect(page.text).to.contain(`href="${path}"`);
    expect(JSON.parse((await ann.get(path)).text).data[0]).to.include({ city: 'Oslo' });
    expect((await new BrowserLike(platform).get(path)).status).to.equal(401);
    const [{ count }] = await platform.query(
      `select count(*)::int as count from audit_log
        where operation = 'disputed_dataset' and error is null and object_id = $1`,
      [order],
    );
    expect(count).to.equal(1);
  });
});
