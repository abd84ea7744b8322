// test:all: Chromium is started and pages are walked through.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect } from 'chai';

import { OAuthRig, PASSWORD } from '../api/oauth/rig.ts';
import { problemOf, SdkApp } from '../api/oauth/sdk_app.ts';
import { eventually } from '../harness.ts';
import { owner as signedInOwner } from '../console/browser_like.ts';
import { withAppCodes } from '../console/account/authenticator.ts';
import { problemsOfLooks } from './axe.ts';
import { freshPage, openChromium, type Browser, type Page } from './chromium.ts';

const NAME = 'Claude Code (market)';

describe('an owner and an app that wants to connect, in a browser', function () {
  this.timeout(120_000);
  let rig: OAuthRig;
  let browser: Browser;
  let home: Server;
  let callback: string;
  /** Addresses that each browser brought back to the app. */
  const back: URLSearchParams[] = [];
  before(async () => {
    rig = await OAuthRig.open();
    home = createServer((req, res) => {
      const { pathname, searchParams } = new URL(req.url!, 'http://app');
      if (pathname === '/callback') back.push(searchParams);
      res.writeHead(200, { 'content-type': 'text/html' }).end('<title>App</title>Back at the app');
    }).listen(0, '127.0.0.1');
    await once(home, 'listening');
    callback = `http://127.0.0.1:${(home.address() as AddressInfo).port}/callback`;
    browser = await openChromium();
  });
  after(async () => {
    await browser?.close();
    home.closeAllConnections();
    home.close();
    await rig.close();
  });

  /** An app that was refused, and the page to which it sends its owner. */
  async function asking(): Promise<SdkApp> {
    const app = new SdkApp(`${rig.resource}?tools=start`, { callback });
    await problemOf(app.open());
    return app;
  }

  async function fillIn(page: Page, username: string, limit: string): Promise<void> {
    await page.getByLabel('Name').fill(username);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('Dollars a day at most').fill(limit);
  }

  it('allows it $5 a day, which it spends, and then widens and ends it in the console', async () => {
    const { platform } = rig;
    const [seller, owner] = [await platform.agent(), await platform.agent({ usd: 20 })];
    const { id } = await platform.product(seller, { price: 2, items: ['a', 'b', 'c', 'd'] });
    const app = await asking();
    const { page, context, faults } = await freshPage(browser);
    await page.goto(app.kept.sentTo);
    await page.getByRole('heading', { name: `${NAME} wants to act for you` }).waitFor();
    await page.getByText(new URL(callback).host).waitFor();
    await fillIn(page, owner.username, '5');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText('Back at the app').waitFor();
    await app.finish(back.pop()!);
    await app.open();

    const buy = () => app.call('purchase_product', { product_id: id });
    expect([(await buy()).status, (await buy()).status]).to.deep.equal(['escrow', 'escrow']);
    expect(await buy()).to.include({ error: 'daily_limit_exceeded' });
    expect(await platform.balance(owner)).to.equal(16.1);

    await page.goto(`${rig.origin}/console/connections`);
    await page.getByLabel('Name').fill(owner.username);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const card = page.getByRole('region', { name: NAME });
    await card.getByText('Spent today: $4.40').waitFor();
    await card.getByLabel('Dollars a day at most').fill('7');
    await card.getByRole('button', { name: 'Save' }).click();
    await card.getByText('of $7.00').waitFor();
    expect(await buy()).to.include({ status: 'escrow' });

    await card.getByRole('button', { name: 'End it' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click();
    await card.getByText('revoked').waitFor();
    const balance = await platform.balance(owner);
    expect(balance).to.equal(13.9);
    expect(await eventually(() => problemOf(buy()), Boolean)).to.have.property('name');
    expect(await platform.balance(owner)).to.equal(balance);
    expect(faults).to.deep.equal([]);
    await app.close();
    await context.close();
  });

  it('does not allow it, and the app is told so', async () => {
    const app = await asking();
    const { page, context, faults } = await freshPage(browser, { javaScriptEnabled: false });
    await page.goto(app.kept.sentTo);
    await page.getByRole('button', { name: 'Do not connect' }).click();
    await page.getByText('Back at the app').waitFor();
    const said = back.pop()!;
    expect(said.get('error')).to.equal('access_denied');
    expect(await problemOf(app.finish(said))).to.be.instanceOf(Error);
    expect(app.kept.tokens()).to.equal(undefined);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('is told what is wrong, beside what was filled in', async () => {
    const { username } = await rig.platform.agent();
    const app = await asking();
    const { page, context } = await freshPage(browser);
    await page.goto(app.kept.sentTo);
    await fillIn(page, username, 'much');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText('how many dollars').waitFor();
    expect(await page.getByLabel('Name').inputValue()).to.equal(username);
    expect(await page.getByLabel('Password').inputValue()).to.equal('');
    expect(back).to.deep.equal([]);
    await context.close();
  });

  it('can be read and used by everybody, and so can the step that asks for a code', async () => {
    const { browser: elsewhere, agent } = await signedInOwner(rig.platform);
    const { app: authenticator } = await withAppCodes(elsewhere);
    const app = await asking();
    const { page, context } = await freshPage(browser);
    await page.goto(app.kept.sentTo);
    const problems = await problemsOfLooks(page, 'consent');
    await fillIn(page, agent.username, '5');
    const connect = page.getByRole('button', { name: 'Connect', exact: true });
    await connect.click();
    const code = page.getByRole('textbox', { name: 'Code' });
    await code.waitFor();
    problems.push(...(await problemsOfLooks(page, 'the code')));
    await code.fill('000000');
    await connect.click();
    await page.getByRole('alert').waitFor();
    problems.push(...(await problemsOfLooks(page, 'a wrong code')));
    expect(problems.join('\n')).to.equal('');
    expect(back).to.deep.equal([]);
    await code.fill(authenticator.code());
    await connect.click();
    await page.getByText('Back at the app').waitFor();
    expect(back.pop()!.get('code')).to.be.a('string');
    await context.close();
  });
});
