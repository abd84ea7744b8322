// test:all: Chromium is started and pages are walked through.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import { PAGES } from '../../api/console/routes.ts';
import { busyOwner } from '../console/busy_owner.ts';
import { TestPlatform } from '../harness.ts';
import { signInAs } from './sign_in.ts';
import { coloursAt, problemsOf, problemsOfLooks } from './axe.ts';
import { freshPage, openChromium, type Browser, type Page } from './chromium.ts';

const pages = PAGES.filter(({ access }) => access === 'owner');

/** Compressed; its style and its script are the same for all of them (front.test.ts). */
const PAGE_BYTES_MAX = 12_000;
describe('the console in a browser', function () {
  this.timeout(300_000);
  let platform: TestPlatform;
  let browser: Browser;
  let busy: Awaited<ReturnType<typeof busyOwner>>;
  before(async () => {
    platform = await TestPlatform.open({ schedules: true });
    busy = await busyOwner(platform);
    browser = await openChromium();
  });
  after(async () => {
    await browser?.close();
    await platform.close();
  });

  const signIn = (page: Page) => signInAs(page, platform, busy.agent);

  it('signs in, releases an order after it was asked once more, and shows what came of it', async () => {
    const { page, context, faults } = await freshPage(browser);
    await signIn(page);
    await page.getByRole('link', { name: 'Orders and vault' }).click();
    await page.getByRole('link', { name: `#${busy.orderId}` }).click();
    await page.getByRole('button', { name: 'Release now' }).first().click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.innerText()).to.include('This cannot be undone');
    await dialog.getByRole('button', { name: 'Release now' }).click();
    await page.getByText('The seller was paid.').waitFor();
    const [{ status }] = await platform.query('select status from orders where id = $1', [
      busy.orderId,
    ]);
    expect(status).to.equal('completed');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('shows what happens elsewhere without being loaded again, and keeps what was typed', async () => {
    const { page, context, faults } = await freshPage(browser);
    await signIn(page);
    await page.goto(`${platform.url}/console/agents`);
    await page.locator('.live:not([hidden])').waitFor();
    await page.getByLabel('Name').fill('half typed');
    const { key } = busy.agent;
    const body = { agent_name: 'from-elsewhere' };
    expect((await platform.request('POST /api/v1/agent/spawn', { key, body })).status).to.equal(
      200,
    );
    await page.getByRole('link', { name: 'from-elsewhere', exact: true }).waitFor();
    expect(await page.getByLabel('Name').inputValue()).to.equal('half typed');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('works without scripts', async () => {
    const { page, context } = await freshPage(browser, { javaScriptEnabled: false });
    await signIn(page);
    await page.goto(`${platform.url}/console/agents/${busy.agent.id}`);
    await page.getByLabel('A day, at most').fill('9');
    await page.getByRole('button', { name: 'Save the policy' }).click();
    await page.getByText('$9.00 a day').waitFor();
    await context.close();
  });

  for (const width of [1440, 390]) {
    it(`has no page that, light or dark, at ${width} px, some could not read or use`, async () => {
      const viewport = { width, height: 900 };
      const { page, context, faults } = await freshPage(browser, { viewport });
      await signIn(page);
      const problems: string[] = [];
      page.on('request', (request) => {
        const { origin } = new URL(request.url());
        if (origin !== platform.url) problems.push(`${request.url()} is of another host`);
      });
      for (const one of pages) {
        const answer = await page.goto(platform.url + busy.pathOf(one));
        const bytes = gzipSync(await answer!.body()).length;
        if (bytes > PAGE_BYTES_MAX) problems.push(`${one.path} has ${bytes} bytes`);
        problems.push(...(await problemsOfLooks(page, one.path, coloursAt(width))));
      }
      expect(problems.join('\n')).to.equal('');
      expect(faults).to.deep.equal([]);
      await context.close();
    });
  }

  it('has a test of that which finds a fault', async () => {
    const { page, context } = await freshPage(browser);
    await signIn(page);
    await page.evaluate(() => document.querySelector('main h1')!.remove());
    await page.evaluate(() => document.querySelector('html')!.removeAttribute('lang'));
    expect((await problemsOf(page)).join()).to.include('html-has-lang');
    await context.close();
  });

  it('takes no form of another site, and stands in no frame', async () => {
    const { page, context } = await freshPage(browser);
    await signIn(page);
    const session = (await context.cookies()).find(({ name }) => name === 'session');
    expect(session).to.include({ httpOnly: true, sameSite: 'Lax' });
    const form = `<form method="post" action="${platform.url}/console/logout"><button>Go</button>`;
    // Another host, and another port of the same, whose requests the browser sends cookies with.
    const server = createServer((_, response) => response.end('here')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const host = platform.url.replace('127.0.0.1', 'localhost');
    for (const place of [`${host}/api/v1/stats`, `http://127.0.0.1:${port}/`]) {
      await page.goto(place);
      await page.setContent(`${form}</form>`);
      await page.getByRole('button').click();
      await page.getByText('came from another site').waitFor();
    }
    server.close();
    await page.goto(`${platform.url}/console`);
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await context.close();
  });
});
