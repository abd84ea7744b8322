import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { PASSWORD } from '../console/browser_like.ts';
import { openPaidBase, type PaidBase } from '../deposits/evm/platform.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { runTimer } from '../orders/trade.ts';
import { answer, startReceiver, verify } from '../webhooks/receiver.ts';
import { problemsOfLooks } from './axe.ts';
import { freshPage, openChromium, type Browser, type Page } from './chromium.ts';

type Agent = Awaited<ReturnType<TestPlatform['agent']>>;

/** The public key of a phrase that nobody keeps money with. */
const XPUB =
  'xpub6DyUKdwoLWmUJ4Tn9Bbsdtx7B5Ws18mEN19e5HT52ikE53FiUheSQXrZUNPovqfyKmw4579A1Mm3GXXKM39N64uooBfJ4tNAzFsEbodRTx4';

describe('money and messages that come and go, in a browser', function () {
  this.timeout(180_000);
  let base: PaidBase;
  let platform: TestPlatform;
  let browser: Browser;
  before(async () => {
    base = await openPaidBase();
    const env = { ...base.env, EVM_DEPOSIT_XPUB: XPUB, EGRESS_ALLOW: '127.0.0.0/8' };
    platform = await TestPlatform.open({ env, schedules: true });
    browser = await openChromium();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await browser?.close();
    await platform.close();
    await base.close();
  });

  async function openAs({ username }: Agent) {
    const opened = await freshPage(browser);
    const { page } = opened;
    await go(page, '/console');
    await page.getByLabel('Name').fill(username);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    return opened;
  }
  const go = (page: Page, path: string) => page.goto(platform.url + path);
  const walletOf = async ({ key }: Agent) =>
    (await platform.request('GET /api/v1/wallet', { key })).body;

  it('a payment on a chain is seen at once, and is yours when nothing can undo it', async () => {
    const agent = await platform.agent();
    const { page, context, faults } = await openAs(agent);
    await go(page, '/console/add?rail=base');
    await page.getByText('Send ETH or USDC on Base').waitFor();
    await page.getByRole('button', { name: 'Show my address' }).click();
    await page.getByText('yours alone').waitFor();
    const address = await page.locator('.copy code').first().innerText();
    expect(await problemsOfLooks(page, 'an address')).to.deep.equal([]);
    const hash = await base.usdc(address, 12_500_000n);
    await page.getByText('Paid, but not credited yet?').click();
    await page.getByLabel('Transaction').fill(hash);
    await page.getByRole('button', { name: 'Find the payment' }).click();
    const rows = page.getByRole('region', { name: 'Deposits, a table' });
    await rows.getByText('detected').waitFor();
    expect((await walletOf(agent)).cash).to.equal(0);

    await go(page, '/console/add?rail=base');
    await page.locator('.live:not([hidden])').waitFor();
    await base.finalize();
    await runTimer(platform, 'watch_chains');
    // The page that is open shows it.
    await rows.getByText('credited').waitFor();
    await rows.getByText('$12.50').waitFor();
    expect((await walletOf(agent)).cash).to.equal(12.5);
    await go(page, '/console/money');
    await page.getByText('+$12.50').first().waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a withdrawal is looked at, wants a proof that is new, waits a day, and can be taken back', async () => {
    const agent = await platform.agent({ usd: 30 });
    const { page, context, faults } = await openAs(agent);
    const before = await walletOf(agent);
    await platform.query(
      `update web_session set proved_at = now() - interval '11 minutes' where agent_id = $1`,
      [agent.id],
    );
    const address = '0x52908400098527886E0F7030069857D2E4169EE7';
    await go(page, '/console/withdraw');
    await page.getByLabel('Amount, in USD').fill('12');
    await page.getByLabel('Address on Base').fill(address);
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByText('a new address').waitFor();
    await page.getByText('0x5290 8400 0985').waitFor();
    const send = () => page.getByRole('button', { name: 'Send $12.00 to 0x5290…9EE7' }).click();
    await send();
    await page.getByRole('heading', { name: 'Prove that it is you' }).waitFor();
    await page.getByLabel('Your password').fill('not this one');
    await page.getByRole('button', { name: /^Withdraw/ }).click();
    await page.getByRole('alert').waitFor();
    expect(await walletOf(agent)).to.deep.include({ cash: before.cash, in_escrow: 0 });
    await send();
    await page.getByLabel('Your password').fill(PASSWORD);
    // Clicked twice it is sent twice, with one key.
    await page.getByRole('button', { name: /^Withdraw/ }).dblclick({ noWaitAfter: true });
    const row = page.getByRole('row', { name: /\$12\.00/ });
    await row.getByText('requested').waitFor();
    expect(await walletOf(agent)).to.include({ cash: before.cash - 12, in_escrow: 12 });
    const { body: listed } = await platform.request('GET /api/v1/wallet/withdrawals', {
      key: agent.key,
    });
    expect(listed.withdrawals).to.have.length(1);
    const [{ pays_from: from, requested_at: made }] = listed.withdrawals;
    expect((Date.parse(from) - Date.parse(made)) / 3_600_000).to.be.closeTo(24, 0.1);
    await row.getByRole('button', { name: /Cancel, and keep/ }).click();
    const sure = page.getByRole('dialog').getByRole('button', { name: /Cancel, and keep/ });
    if (await sure.isVisible()) await sure.click();
    await row.getByText('cancelled').waitFor();
    expect(await walletOf(agent)).to.deep.include({ cash: before.cash, in_escrow: 0 });
    expect(faults.filter((fault) => !/status of (401|403)/.test(fault))).to.deep.equal([]);
    await context.close();
  });

  it('a message that did not arrive says why, and is sent again', async () => {
    const agent = await platform.agent();
    const receiver = await startReceiver();
    receiver.behave(answer(503));
    const { page, context, faults } = await openAs(agent);
    await go(page, '/console/webhooks');
    await page.getByLabel('Address').fill(receiver.url);
    await page.getByLabel('webhook', { exact: true }).check();
    await page.getByRole('button', { name: 'Add this endpoint' }).click();
    const secret = await page.locator('.copy code', { hasText: 'whsec_' }).innerText();
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('A test event is on its way.').waitFor();
    const row = page.getByRole('row', { name: /webhook\.test/ });
    const shown = (text: string) =>
      eventually(
        async () => {
          await page.reload();
          return row.first().innerText();
        },
        (found) => found.includes(text),
      );
    expect(await shown('answered 503')).to.include('waiting');
    receiver.behave(answer(204));
    const sent = receiver.received.length;
    await row.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('The events are sent again.').waitFor();
    expect(await shown('arrived')).to.include('204');
    const [first, last] = [receiver.received[0]!, receiver.received.at(-1)!];
    expect(receiver.received.length).to.be.above(sent);
    expect(last.headers['webhook-id']).to.equal(first.headers['webhook-id']);
    verify(secret, last);
    expect(faults).to.deep.equal([]);
    await context.close();
    await receiver.close();
  });

  it('stock with a line twice is refused as a whole, and comes back to be mended', async () => {
    const agent = await platform.agent();
    const product = await platform.product(agent, { title: 'Maps', items: ['one'] });
    const { page, context, faults } = await openAs(agent);
    await go(page, `/console/selling/${product.id}`);
    const available = async () =>
      (await platform.request(`GET /api/v1/products/${product.id}/stock`, { key: agent.key })).body
        .available;
    const units = page.getByLabel('Units, one a line');
    const add = page.getByRole('button', { name: 'Add to the stock' });
    await units.fill('two\nthree\ntwo');
    await page.getByText('3 lines; more than once: two').waitFor();
    await add.click();
    await page.getByRole('alert').waitFor();
    expect(await available()).to.equal(1);
    expect(await units.inputValue()).to.equal('two\nthree\ntwo');
    await units.fill('two\nthree');
    await add.click();
    await page.getByText('The units are on the shelf.').waitFor();
    expect(await available()).to.equal(3);
    const stock = page.getByRole('region', { name: 'Stock' });
    await stock.getByText('3', { exact: true }).waitFor();
    expect(faults.filter((fault) => !/status of 422/.test(fault))).to.deep.equal([]);
    await context.close();
  });
});
