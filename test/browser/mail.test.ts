// test:all: Chromium is started and pages are walked through.
import { expect } from 'chai';

import { eventually } from '../harness.ts';
import { problemsOfLooks } from './axe.ts';
import { freshPage, type Page } from './chromium.ts';
import { give, heading, inBrowser } from './in_browser.ts';

describe('pages that mails lead to', function () {
  this.timeout(240_000);
  const at = inBrowser();

  const go = (page: Page, path: string) => page.goto(at.platform.url + path);
  /** The newest link of the mailbox that leads to this path. */
  const linkTo = async (page: Page, path: string) => {
    const link = page.locator(`a[href*="${path}"]`).first();
    await eventually(
      async () => {
        await go(page, '/console/mailbox');
        return link.count();
      },
      (count) => count > 0,
    );
    return link;
  };

  /** The link names PUBLIC_URL, whose port is not the one of this test. */
  const openLink = async (page: Page, link: ReturnType<Page['locator']>) => {
    const { pathname, search } = new URL((await link.getAttribute('href'))!);
    await go(page, pathname + search);
  };

  it('can be read and used by everybody, from the account to a new password', async () => {
    const agent = await at.platform.agent();
    const { page, context, faults } = await freshPage(at.browser);
    const problems: string[] = [];
    const look = async (what: string) => problems.push(...(await problemsOfLooks(page, what)));
    await go(page, '/console');
    await give(page, agent.username);
    await heading(page, 'Home');
    await go(page, '/console/account');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('A link was sent to').waitFor();
    const proof = await linkTo(page, '/mail/confirm');
    await look('the mailbox');
    await openLink(page, proof);
    await heading(page, 'Confirm your address');
    await look('an address to confirm');
    await page.getByRole('button', { name: 'Confirm the address' }).click();
    await heading(page, 'Address confirmed');
    await look('an address that is confirmed');
    await page.getByRole('link', { name: 'To your account' }).click();
    await page.getByLabel('Withdrawals').uncheck();
    await page.getByRole('button', { name: 'Save notices' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await page.getByLabel('Withdrawals').isChecked()).to.equal(false);
    await look('notices to choose');
    await page.getByLabel('Another address').fill('nobody@localhost');
    await page.getByRole('button', { name: 'Change the address' }).click();
    await page.locator('[aria-invalid]').waitFor();
    await look('an address that is refused');
    await page.getByLabel('Another address').fill(`${agent.username}@gmial.com`);
    await page.getByRole('button', { name: 'Change the address' }).click();
    await page.getByText('waits to be confirmed').waitFor();
    await look('an address that is probably misspelt');
    const long = `${'a'.repeat(60)}@${'b'.repeat(60)}.example.com`;
    await page.getByLabel('Another address').fill(long);
    await page.getByRole('button', { name: 'Change the address' }).click();
    await page.getByText(`${long} waits to be confirmed`).waitFor();
    await look('a long address that waits to be confirmed');

    await go(page, '/mail/forgot');
    await look('a password that is lost');
    await page.getByLabel('Name or email address').fill(agent.username);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await heading(page, 'Look into your mailbox');
    const link = await linkTo(page, '/mail/password');
    const used = (await link.getAttribute('href'))!.slice(at.platform.config.api.publicUrl.length);
    await openLink(page, link);
    await heading(page, 'Choose a new password');
    await look('a password to choose');
    await page.getByLabel('New password', { exact: true }).fill('another horse staple');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await heading(page, 'The password is changed');
    await look('a password that is changed');
    await go(page, used);
    await heading(page, 'This link does not work');
    await look('a link that is over');

    const { username } = agent;
    const other = await freshPage(at.browser);
    await go(other.page, '/console');
    await give(other.page, username, 'another horse staple');
    await heading(other.page, 'Home');
    await other.context.close();
    await openLink(page, await linkTo(page, '/mail/unsubscribe'));
    await heading(page, 'No more mails of this kind');
    await look('notices to turn off');
    await page.getByRole('button', { name: 'Turn them off' }).click();
    await heading(page, 'Turned off');
    await look('notices that are turned off');
    await context.close();
    expect(problems).to.deep.equal([]);
    // The console of the browser says refusals, and nothing else.
    expect(faults.filter((fault) => !/status of (404|422)/.test(fault))).to.deep.equal([]);
  });
});
