// test:all: Chromium is started and pages are walked through.
import { expect } from 'chai';
import { TOTP } from 'otpauth';

import { PAGES } from '../../api/console/routes.ts';
import { problemsOfLooks, TWO_LOOKS } from './axe.ts';
import { freshPage, type Page } from './chromium.ts';
import { give, heading, inBrowser, signIn } from './in_browser.ts';

describe('what stands on a page only at times', function () {
  this.timeout(240_000);
  const at = inBrowser();

  const alert = (page: Page) => page.getByRole('alert').waitFor();
  const go = (page: Page, path: string) => page.goto(at.platform.url + path);

  /** A refused call is answered so, and said in the console of the browser; nothing else is. */
  const unexpected = (faults: readonly string[]) =>
    faults.filter((fault) => !/status of (401|403|422)/.test(fault));

  it('can be read and used by everybody when signing in, and on the page of the account', async () => {
    const agent = await at.platform.agent();
    const { page, context, faults } = await freshPage(at.browser);
    const problems: string[] = [];
    const look = async (what: string) => problems.push(...(await problemsOfLooks(page, what)));
    await go(page, '/console');
    await give(page, agent.username, 'not the password');
    await alert(page);
    await look('a password that is wrong');
    await give(page, agent.username);
    await heading(page, 'Home');

    await go(page, '/console/account');
    const codes = page.getByRole('region', { name: 'App codes' });
    await codes.getByRole('button', { name: 'Turn on' }).click();
    const secret = await codes.locator('.copy code').innerText();
    await look('a picture to scan');
    const app = new TOTP({ secret });
    await codes.getByLabel('The six digits').fill(app.generate());
    await codes.getByRole('button', { name: 'Turn on' }).click();
    const recovery = await codes.locator('.recovery code').first().innerText();
    await look('recovery codes');

    await page.getByLabel('Ask again above').fill('a lot');
    await page.getByLabel('Theme').selectOption('dark');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await alert(page);
    expect(await page.getByLabel('Ask again above').inputValue()).to.equal('a lot');
    expect(await page.getByLabel('Theme').inputValue()).to.equal('dark');
    await look('a choice that is refused');

    const body = { password: 'another long password' };
    const reset = { key: agent.key, body };
    expect((await at.platform.request('POST /api/v1/agent/password-reset', reset)).status).to.equal(
      200,
    );
    await go(page, '/console/account');
    await page.getByText('Your password is reset on').waitFor();
    await look('a reset that waits');
    await page.getByRole('button', { name: 'Stop it' }).click();
    await page.getByText('The reset was stopped').waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await give(page, agent.username);
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await alert(page);
    await look('the question for a code');
    await page.getByLabel('Code').fill(recovery);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await heading(page, 'Home');
    expect(problems.join('\n')).to.equal('');
    expect(unexpected(faults)).to.deep.equal([]);
    await context.close();
  });

  it('can be read and used by everybody where a form is refused, or wants a proof', async () => {
    const agent = await at.platform.agent({ usd: 5 });
    const { page, context, faults } = await freshPage(at.browser);
    const problems: string[] = [];
    const refused = async (what: string, button: string, fields: Record<string, string>) => {
      for (const [label, text] of Object.entries(fields)) {
        await page.getByLabel(label).first().fill(text);
      }
      await page.getByRole('button', { name: button }).click();
      await alert(page);
      expect(await page.locator('[aria-invalid], .message.owed').count(), what).to.be.above(0);
      problems.push(...(await problemsOfLooks(page, what)));
    };
    await signIn(page, at, agent);
    await go(page, `/console/agents/${agent.id}`);
    await refused('a policy', 'Save the policy', {
      'At a time, at most': 'six',
      'A day, at most': 'many',
    });
    await go(page, '/console/selling/new');
    await refused('a product', 'List this product', {
      Title: 'Maps',
      Description: 'Of all',
      Price: 'free',
      'Units, one a line': 'MAP-1',
    });
    await go(page, '/console/webhooks');
    await refused('a webhook', 'Add this endpoint', { Address: 'nowhere at all' });

    await go(page, `/console/agents/${agent.id}`);
    await at.platform.query(
      `update web_session set proved_at = now() - interval '11 minutes' where agent_id = $1`,
      [agent.id],
    );
    await page.getByLabel('A day, at most').fill('9');
    await page.getByRole('button', { name: 'Save the policy' }).click();
    await page.getByRole('heading', { name: 'Prove that it is you' }).waitFor();
    problems.push(...(await problemsOfLooks(page, 'a proof')));
    const { daily_spend_limit: limit } = (
      await at.platform.request('GET /api/v1/wallet', { key: agent.key })
    ).body;
    expect(limit).to.equal(null);
    expect(problems.join('\n')).to.equal('');
    expect(unexpected(faults)).to.deep.equal([]);
    await context.close();
  });

  it('says to everybody what will stand where there is nothing yet', async () => {
    const agent = await at.platform.agent();
    const { page, context, faults } = await freshPage(at.browser);
    const problems: string[] = [];
    await signIn(page, at, agent);
    const lists = PAGES.filter(({ access, path }) => access === 'owner' && !path.includes(':'));
    for (const { path } of lists) {
      await go(page, path);
      problems.push(...(await problemsOfLooks(page, path, TWO_LOOKS)));
    }
    // On phones the rest of the navigation is behind one of the five tabs.
    await page.setViewportSize({ width: 390, height: 900 });
    await page.getByRole('link', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    problems.push(...(await problemsOfLooks(page, 'More')));
    expect(problems.join('\n')).to.equal('');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('can be read and used by everybody where an account is closed', async () => {
    const agent = await at.platform.agent({ usd: 5 });
    const { page, context, faults } = await freshPage(at.browser);
    const problems: string[] = [];
    const look = async (what: string) => problems.push(...(await problemsOfLooks(page, what)));
    await signIn(page, at, agent);
    await go(page, '/console/account');
    await page.getByRole('link', { name: 'Close the account' }).click();
    await heading(page, 'Close the account');
    await page.getByRole('region', { name: 'What stands in the way' }).getByText('$5.00').waitFor();
    await look('what stands in the way of closing');

    await at.platform.query('delete from web_session where agent_id = $1', [agent.id]);
    const other = await at.platform.agent();
    await signIn(page, at, other);
    await go(page, '/console/account/closing');
    await look('closing');
    await page.getByLabel('Type the name').fill('somebody else');
    await page.getByRole('button', { name: 'Close the account for good' }).click();
    await alert(page);
    await look('a name that is not typed');
    await page.getByLabel('Type the name').fill(other.username);
    await page.getByRole('button', { name: 'Close the account for good' }).click();
    await heading(page, 'The account is closed');
    await look('an account that was closed');
    expect(problems.join('\n')).to.equal('');
    expect(unexpected(faults)).to.deep.equal([]);
    await context.close();
  });
});
