import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { TestPlatform } from '../../harness.ts';
import { newKey, owner, signedIn, type BrowserLike } from '../browser_like.ts';

const PATH = '/console/account/closing';

describe('closing an account in the middle of other things', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const close = (browser: BrowserLike, name: string) => browser.post(PATH, { name });

  it('comes before or after purchases and payments in flight', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { agent: seller } = await owner(platform);
      const items = Array.from({ length: 3 }, (_, n) => `unit-${round}-${n}-${newKey()}`);
      const product = await platform.product(seller, { price: 0.1, items });
      const { browser, agent } = await owner(platform);
      const purchase = () =>
        platform.request('POST /api/v1/orders', {
          key: agent.key,
          body: { product_id: product.id },
        });
      const [closed] = await Promise.all([
        close(browser, agent.username),
        ...(round % 2 === 0 ? [purchase(), purchase()] : [platform.fund(agent.id, 3)]),
      ]);
      const [{ is_closed, status, cash, orders }] = await platform.query(
        `select a.closed_at is not null as is_closed, a.status, t.cash::int,
                (select count(*)::int from orders where buyer_id = a.id) as orders
           from agent a join ledger.treasury t on t.id = a.id where a.id = $1`,
        [agent.id],
      );
      expect(closed!.status, closed!.text).to.be.oneOf([200, 409]);
      expect(is_closed).to.equal(closed!.status === 200);
      expect(status).to.equal(is_closed ? 'suspended' : 'active');
      if (is_closed) expect(orders).to.equal(0);
      // The books of the account have what came too late.
      if (round % 2 === 1) expect(cash).to.equal(3_000_000);
    }
  });

  it('leaves nothing on sale, whatever is listed meanwhile', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { browser, agent } = await owner(platform);
      const { id } = await platform.product(agent, { price: 0.1, items: [`unit-${newKey()}`] });
      const listing = () =>
        platform.request('POST /api/v1/products', {
          key: agent.key,
          body: {
            title: 'Weather report',
            description: 'The weather of tomorrow.',
            category: 'api_service',
            price: 0.1,
            stock_kind: 'unlimited',
            content: 'sunny',
          },
        });
      const [closed] = await Promise.all([
        close(browser, agent.username),
        listing(),
        platform.request(`PATCH /api/v1/products/${id}`, { key: agent.key, body: { price: 0.2 } }),
        listing(),
      ]);
      expect(closed!.status).to.equal(200);
      const onSale = await platform.query(
        `select id from product where root_id = $1 and (active or status <> 'archived')`,
        [agent.id],
      );
      expect(onSale).to.deep.equal([]);
    }
  });

  it('is done once by two who send it at the same moment', async () => {
    const { browser, agent } = await owner(platform);
    const other = await signedIn(platform, agent);
    const sent = await Promise.all([
      close(browser, agent.username),
      close(other, agent.username),
      close(browser, agent.username),
    ]);
    expect(sent.filter(({ status }) => status === 200)).to.have.length(1);
  });
});
