// test:all: Chromium is started and pages are walked through.
import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { OPERATOR_TOKEN } from '../access/scene.ts';
import { childOf } from '../agents/child.ts';
import { eventually, type TestPlatform } from '../harness.ts';
import { PASSWORD } from '../console/browser_like.ts';
import { runTimer } from '../orders/trade.ts';
import { setPolicy } from '../policy.ts';
import { openWithStripe, type PlatformWithStripe } from '../sandbox/stripe_platform.ts';
import { freshPage, openChromium, type Browser, type Page } from './chromium.ts';

interface Agent {
  readonly id: number;
  readonly key: string;
  readonly username: string;
}

describe('what owners do in a browser', function () {
  this.timeout(180_000);
  let platform: TestPlatform;
  let stripe: PlatformWithStripe;
  let browser: Browser;
  before(async () => {
    stripe = await openWithStripe({ schedules: true });
    ({ platform } = stripe);
    browser = await openChromium();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await browser?.close();
    await stripe.close();
  });

  /** A page of somebody who has signed in. */
  async function openAs(name: string, { kind = 'console', secret = PASSWORD } = {}) {
    const opened = await freshPage(browser, { viewport: { width: 1280, height: 900 } });
    const { page } = opened;
    await page.goto(`${platform.url}/${kind}`);
    await page.getByLabel('Name').fill(name);
    await page.locator('input[name=secret]').fill(secret);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('.who').waitFor();
    return opened;
  }
  const buy = ({ key }: { key: string }, product: { id: number }) =>
    platform.request('POST /api/v1/orders', { key, body: { product_id: product.id } });
  const go = (page: Page, path: string) => page.goto(platform.url + path);
  const done = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();
  const walletOf = async ({ key }: Agent) =>
    (await platform.request('GET /api/v1/wallet', { key })).body;

  it('approve what an agent asks, deny it, and let it pass, each with the money that follows', async () => {
    const owner = await platform.agent({ usd: 50 });
    const scout = await childOf(platform, owner);
    await setPolicy(platform, scout, { approval_threshold: 5_000_000n });
    const seller = await platform.agent();
    const product = await platform.product(seller, {
      price: 10,
      title: 'Tide tables',
      stock_kind: 'unlimited',
      content: 'tides',
    });
    const { page, context, faults } = await openAs(owner.username);
    const before = (await walletOf(owner)).balance;

    await page.locator('.live:not([hidden])').waitFor();
    await buy(scout, product);
    await page.getByText('Tide tables').first().waitFor();
    await page.getByRole('button', { name: 'Approve $11.00' }).click();
    await done(page, 'Your decision was saved.');
    expect(await walletOf(owner)).to.include({ balance: before - 11, in_escrow: 11 });

    await buy(scout, product);
    await go(page, '/console/todo');
    await page.getByRole('button', { name: 'Deny' }).click();
    await done(page, 'Your decision was saved.');
    await page.locator('section', { hasText: 'Decided' }).getByText('denied').waitFor();
    expect((await walletOf(owner)).balance).to.equal(before - 11);

    await buy(scout, product);
    await go(page, '/console/todo');
    await page.getByRole('button', { name: 'Approve $11.00' }).waitFor();
    await platform.query(
      `update approval set expires_at = now() - interval '1 second' where status = 'pending'`,
    );
    await runTimer(platform, 'expire_approvals');
    // The page that is open shows that it is over.
    await page.getByText('Nothing waits for you').waitFor();
    expect((await walletOf(owner)).balance).to.equal(before - 11);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('raise the limit of an agent that was refused, which then may buy', async () => {
    const owner = await platform.agent({ usd: 20 });
    const scout = await childOf(platform, owner);
    await setPolicy(platform, scout, { max_spend_per_tx: 2_000_000n });
    const product = await platform.product(await platform.agent(), { price: 5 });
    const { body: refused } = await buy(scout, product);
    expect(refused.error).to.equal('tx_limit_exceeded');
    const { page, context, faults } = await openAs(owner.username);
    await go(page, `/console/agents/${scout.id}`);
    await page.getByText('$2.00 at a time').waitFor();
    await page.getByLabel('At a time, at most').fill('six');
    await page.getByRole('button', { name: 'Save the policy' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('At a time, at most').inputValue()).to.equal('six');
    await page.getByLabel('At a time, at most').fill('6');
    await page.getByRole('button', { name: 'Save the policy' }).click();
    await page.getByText('$6.00 at a time').waitFor();
    expect((await buy(scout, product)).status).to.equal(200);
    expect(faults.filter((fault) => !fault.includes('422'))).to.deep.equal([]);
    await context.close();
  });

  it('open a vault, object, answer and read the verdict, with the same money in both statements', async () => {
    const [buyer, seller] = [await platform.agent({ usd: 20 }), await platform.agent()];
    const product = await platform.product(seller, { price: 8, title: 'Street names' });
    const { order_id: id } = (await buy(buyer, product)).body;
    const bought = await openAs(buyer.username);
    await go(bought.page, `/console/orders/${id}`);
    await bought.page.getByRole('button', { name: 'Open the vault' }).click();
    await bought.page.getByRole('dialog').getByRole('button', { name: 'Open the vault' }).click();
    await bought.page.getByText(/^KEY-/).waitFor();
    // A secret that is shown once stays while the page changes.
    await bought.page.locator('.live:not([hidden])').waitFor();
    const message = { order_id: id, text: 'It works offline, too.' };
    await platform.request('POST /api/v1/messages', { key: seller.key, body: message });
    await bought.page.getByText('It works offline, too.').waitFor();
    expect(await bought.page.getByText(/^KEY-/).isVisible()).to.equal(true);

    await bought.page.getByText('Dispute this order', { exact: true }).first().click();
    await bought.page.locator('textarea[name=reason]').fill('The key was used before.');
    await bought.page.getByRole('button', { name: 'Dispute this order' }).click();
    await done(bought.page, 'The order is disputed.');

    const sold = await openAs(seller.username);
    await sold.page.getByText('A buyer disputes a sale').waitFor();
    await go(sold.page, `/console/orders/${id}`);
    await sold.page.getByText('The key was used before.').waitFor();
    await sold.page.locator('summary', { hasText: 'Send the answer' }).click();
    await sold.page.locator('textarea[name=response]').fill('It was new.');
    await sold.page.getByRole('button', { name: 'Send the answer' }).click();
    await done(sold.page, 'Your answer was sent.');

    const judge = await openAs('operator', { kind: 'admin', secret: OPERATOR_TOKEN });
    await go(judge.page, `/admin/decisions?kind=order_disputes&id=${id}`);
    await judge.page.getByLabel('Decision', { exact: true }).selectOption('split');
    await judge.page.getByLabel('To the seller').fill('3');
    await judge.page.getByLabel('Reason').fill('Partly used.');
    await judge.page.locator('.live:not([hidden])').waitFor();
    const redrawn = async ({ id: agentId }: { id: number }) => {
      const redraw = judge.page.waitForResponse((one) => 'x-redraw' in one.request().headers());
      const route = `POST /api/v1/admin/agents/${agentId}/goodwill`;
      const body = { amount: 1, reference: `patience-${agentId}` };
      const given = await platform.request(route, { key: OPERATOR_TOKEN, body });
      expect(given.status).to.equal(200);
      await (await redraw).finished();
    };
    // A choice stays while the page changes, as typed text does.
    await redrawn(await platform.agent());
    await judge.page.locator('html[data-drawn]').waitFor({ state: 'attached' });
    const decision = judge.page.getByLabel('Decision', { exact: true });
    expect(await decision.inputValue()).to.equal('split');
    await judge.page.getByRole('button', { name: 'Decide' }).click();
    // A question stays while the page behind it would change.
    await redrawn(buyer);
    await judge.page.getByRole('dialog').getByRole('button', { name: 'Decide' }).click();
    await judge.page.getByText('The dispute is decided.').waitFor();

    // The seller's page of the order has changed by itself.
    await sold.page.getByText('Partly used.').waitFor();
    const [{ refunded }] = await platform.query(
      'select refunded::float8 / 1e6 as refunded from orders where id = $1',
      [id],
    );
    await go(bought.page, '/console/money');
    await bought.page
      .getByText(`+$${refunded.toFixed(2)}`)
      .first()
      .waitFor();
    await go(sold.page, '/console/money');
    await sold.page.getByText('+$3.00').first().waitFor();
    expect((await walletOf(seller)).balance).to.equal(3.5);
    expect((await walletOf(buyer)).balance).to.be.closeTo(21.5 - 8.8 + refunded, 1e-9);
    for (const { faults, context } of [bought, sold, judge]) {
      expect(faults).to.deep.equal([]);
      await context.close();
    }
  });

  it('rotate a key: the new one is shown once, and the old one ends', async () => {
    const owner = await platform.agent();
    const { page, context, faults } = await openAs(owner.username);
    await go(page, '/console/keys');
    await page.getByRole('button', { name: 'Rotate' }).click();
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Rotate' });
    if (await confirm.isVisible()) await confirm.click();
    const key = await page.locator('.copy code').innerText();
    expect(key).to.match(/^vnx_/).and.not.equal(owner.key);
    await page.locator('.live:not([hidden])').waitFor();
    const body = { agent_name: 'from-elsewhere' };
    await platform.request('POST /api/v1/agent/spawn', { key, body });
    await page.locator('html[data-drawn]').waitFor({ state: 'attached' });
    expect(await page.locator('.copy code').innerText()).to.equal(key);
    const statusOf = async (of: string) =>
      (await platform.request('GET /api/v1/agent/me', { key: of })).status;
    expect(await statusOf(key)).to.equal(200);
    await eventually(
      () => statusOf(owner.key),
      (status) => status === 401,
    );
    await page.reload();
    expect(await page.content()).to.not.include(key);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('pay by a card that is declined, and by one whose bank asks', async () => {
    const owner = await platform.agent();
    const { page, context } = await openAs(owner.username);
    await go(page, '/console/add?rail=card');
    await page.locator('input[name=amount]').first().fill('20');
    await page.getByRole('button', { name: 'Go on to pay' }).click();
    await page.getByRole('link', { name: 'Pay $20.00 at Stripe' }).click();
    const pay = async (card: string) => {
      await page.getByLabel('Card number').fill(card);
      await page.getByLabel('Expires').fill('12 / 34');
      await page.getByLabel('CVC').fill('123');
      await page.getByRole('button', { name: 'Pay $20.00' }).click();
    };
    await pay('4000 0000 0000 0002');
    await page.getByText('Your card was declined.').waitFor();
    expect((await walletOf(owner)).cash).to.equal(0);
    await pay('4000 0025 0000 3155');
    // The marketplace of the tests does not know its own port: nobody answers where this leads, and
    // whoever goes elsewhere meanwhile may be interrupted by it.
    await page.getByRole('button', { name: 'Yes, it is me' }).click({ noWaitAfter: true });
    await eventually(
      () => walletOf(owner),
      ({ cash }) => cash === 20,
    );
    const later = await context.newPage();
    await go(later, '/console/money');
    await later.getByText('+$20.00').first().waitFor();
    await context.close();
  });
});
