// test:all: Chromium is started and pages are walked through.
import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { PASSWORD } from '../console/browser_like.ts';
import { openWithStripe, type PlatformWithStripe } from '../sandbox/stripe_platform.ts';
import { suspend } from '../suspend.ts';
import { freshPage, openChromium, type Browser, type Page } from './chromium.ts';
import { signIn } from './in_browser.ts';

describe('what raises what can be spent, in a browser', function () {
  this.timeout(180_000);
  let opened: PlatformWithStripe;
  let browser: Browser;
  before(async () => {
    [opened, browser] = await Promise.all([openWithStripe(), openChromium()]);
  });
  after(async () => {
    expect(await audit(opened.platform.context.database)).to.deep.equal([]);
    await browser?.close();
    await opened?.close();
  });

  /** An owner on this page, whose proof is older than ten minutes. */
  async function openAs(agent: { id: number; username: string }, path: string) {
    const { platform } = opened;
    const shown = await freshPage(browser);
    await signIn(shown.page, { platform, browser }, agent);
    await shown.page.goto(platform.url + path);
    await platform.query(
      `update web_session set proved_at = now() - interval '11 minutes' where agent_id = $1`,
      [agent.id],
    );
    return shown;
  }

  async function prove(page: Page, button: RegExp, secret = PASSWORD): Promise<void> {
    await page.getByRole('heading', { name: 'Prove that it is you' }).waitFor();
    await page.getByLabel('Your password').fill(secret);
    await page.getByRole('button', { name: button }).click();
  }

  it('a suspended agent goes on after a password', async () => {
    const { platform } = opened;
    const owner = await platform.agent();
    const child = await childOf(platform, owner);
    await suspend(platform, child);
    const statusOf = async () =>
      (await platform.query('select status from agent where id = $1', [child.id]))[0].status;
    const { page, context } = await openAs(owner, `/console/agents/${child.id}`);
    const goOn = () => page.getByRole('button', { name: /go on$/ }).click();
    await goOn();
    await prove(page, /^Resume/, 'not this one');
    await page.getByRole('alert').waitFor();
    expect(await statusOf()).to.equal('suspended');
    await goOn();
    await prove(page, /^Resume/);
    await page.getByRole('button', { name: /^Stop/ }).first().waitFor();
    expect(await statusOf()).to.equal('active');
    await context.close();
  });

  it('a card is charged by itself after a password, and no more without one', async () => {
    const { platform } = opened;
    const owner = await platform.agent({ usd: 20 });
    await platform.query(
      `insert into saved_card (root_id, customer_id, method_id, brand, last4)
       values ($1, 'cus_x', 'pm_x', 'visa', '4242')`,
      [owner.id],
    );
    const { page, context } = await openAs(owner, '/console/add');
    const card = page.getByRole('region', { name: 'Auto-recharge' });
    await card.getByLabel('On', { exact: true }).check();
    await card.getByRole('button', { name: 'Save' }).click();
    await prove(page, /^Set auto-recharge/);
    await card.getByText('On.').waitFor();
    await platform.query(`update web_session set proved_at = now() - interval '11 minutes'`);
    await card.getByLabel('On', { exact: true }).uncheck();
    await card.getByRole('button', { name: 'Save' }).click();
    await card.getByText('Off.').waitFor();
    await context.close();
  });
});
