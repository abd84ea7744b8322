import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { act } from '../orders/deal.ts';
import { buy } from '../orders/trade.ts';
import { owner } from './browser_like.ts';

describe('the orders to check in the console', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  async function scene() {
    const { browser, agent } = await owner(platform, { usd: 9 });
    const seller = await platform.agent();
    const items = ['a', 'b', 'c'];
    const product = await platform.product(seller, { title: 'Tide tables', price: 1, items });
    const child = await childOf(platform, agent);
    const own = [await buy(platform, agent, product), await buy(platform, agent, product)];
    return { browser, agent, seller, child, own, below: await buy(platform, child, product) };
  }
  const statusOf = async (orderId: number) =>
    (await platform.query('select status from orders where id = $1', [orderId]))[0].status;

  it('are listed with product, agent, seller and amount, also those of agents below', async () => {
    const { browser, child, seller, own, below } = await scene();
    const { text } = await browser.get('/console/check');
    for (const id of [...own, below]) expect(text).to.include(`/console/orders/${id}"`);
    expect(text).to.include('Tide tables').and.include(seller.username).and.include('$1.10');
    for (const page of ['/console', '/console/todo']) {
      expect((await browser.get(page)).text, page).to.include('>3 orders to check</a>');
    }
    const unread = ['check?agent=x', 'check?agent=0', 'sales?status=x', 'orders?role=x'];
    for (const address of unread) {
      expect((await browser.get(`/console/${address}`)).status, address).to.equal(422);
    }
    const one = (await browser.get(`/console/check?agent=${child.id}`)).text;
    expect(one).to.include(`/console/orders/${below}"`);
    expect(one).not.to.include(`/console/orders/${own[0]}"`);
  });

  it('are paid together where they are ticked, by a button that asks once more', async () => {
    const { browser, seller, own, below } = await scene();
    const before = await platform.balance(seller);
    const page = await browser.get('/console/check');
    expect(page.text).to.match(/class="button"[^>]*>Pay the sellers of the ticked orders/);
    const none = await browser.submit(page, '/console/do/confirm_orders');
    expect(none.status).to.equal(422);
    expect(none.text).to.include('Orders</a>: Tick the orders whose sellers you pay.');
    const ticked = { order_ids: [String(own[0]), String(below)] };
    const sent = await browser.submit(page, '/console/do/confirm_orders', ticked);
    expect(sent.location).to.equal('/console/check?done=confirm_orders');
    expect((await browser.get(sent.location!)).text).to.include('The sellers were paid.');
    expect([await statusOf(own[0]!), await statusOf(below), await statusOf(own[1]!)]).to.deep.equal(
      ['completed', 'completed', 'escrow'],
    );
    expect(await platform.balance(seller)).to.equal(before + 2);
  });

  it('are confirmed by a rule, which the page says and changes', async () => {
    const { browser } = await scene();
    const page = await browser.get('/console/check');
    expect(page.text).to.include('Off: each seller is paid when you confirm');
    const rule = { enabled: 'true', amount_max: '2.5', hours: '6' };
    const sent = await browser.submit(page, '/console/do/set_confirm_rule', rule);
    expect(sent.location).to.equal('/console/check?done=set_confirm_rule');
    const saved = await browser.get(sent.location!);
    expect(saved.text).to.include('The rule was saved.').and.include('of up to $2.50');
    expect(saved.text).to.include('confirmed 6 hours after its vault was first opened.');
    const wrong = await browser.submit(saved, '/console/do/set_confirm_rule', { hours: '100' });
    expect(wrong.status).to.equal(422);
    expect(wrong.text).to.include('Hours after the vault was first opened</a>');
    const off = await browser.submit(saved, '/console/do/set_confirm_rule', { enabled: 'false' });
    expect((await browser.get(off.location!)).text).to.include('Off: each seller');
  });

  it('say what a check found, which is set on the page of an order', async () => {
    const { browser, agent, own } = await scene();
    const path = `/console/orders/${own[0]}`;
    const page = await browser.get(path);
    expect(page.text).to.include('Confirm what passes a check');
    const neither = await browser.submit(page, '/console/do/set_goods_check');
    expect(neither.text).to.include('Give a pattern or a JSON Schema.');
    const broken = await browser.submit(neither, '/console/do/set_goods_check', {
      pattern: '(',
    });
    expect(broken.text).to.include('Give a pattern of RE2');
    const check = { pattern: '^a$', amount_max: '2', hours: '4' };
    const sent = await browser.submit(broken, '/console/do/set_goods_check', check);
    expect(sent.location).to.equal(`${path}?done=set_goods_check`);
    expect((await browser.get(sent.location!)).text).to.include('The check was saved.');
    for (const id of own) await act(platform, 'get_vault_item', { orderId: id, key: agent.key });
    const texts = await eventually(
      () => Promise.all(own.map(async (id) => (await browser.get(`/console/orders/${id}`)).text)),
      (found) => found.every((text) => /<strong>(Passed|Failed)/.test(text)),
    );
    expect(texts[0]).to.include('<strong>Passed</strong>');
    expect(texts[1]).to.include('<strong>Failed</strong>').and.include('Dispute it before');
    const list = await browser.get('/console/check');
    expect(list.text).to.include('passed its check').and.include('failed its check');
    expect(list.text).to.include('of up to $2.00 whose goods pass is confirmed 4 hours later.');
    await browser.submit(list, '/console/do/set_goods_check');
    expect((await browser.get('/console/check')).text).to.include('There is none.');
  });

  it('are no decisions: To do and the navigation do not count them', async () => {
    const { browser } = await scene();
    const { text } = await browser.get('/console/todo');
    expect(text).to.include('0 things').and.include('3 orders to check');
    expect(text).to.include('<a href="/market">');
    expect(text).not.to.include('An order to check').and.not.include(', waiting: ');
    expect((await browser.get('/console')).text).to.include('3 orders to check');
  });
});
