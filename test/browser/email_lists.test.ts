// test:all: Chromium is started and pages are walked through.
import { readFile } from 'node:fs/promises';

import { expect } from 'chai';

import { startZone } from '../email/zone.ts';
import { owner } from '../console/browser_like.ts';
import { TestPlatform } from '../harness.ts';
import type { NameServer } from '../name_server.ts';
import { problemsOfLooks } from './axe.ts';
import { freshPage, openChromium, type Browser } from './chromium.ts';
import { signInAs } from './sign_in.ts';

/** A file as a spreadsheet saves it, with a name that would be too wide. */
const FILE = {
  name: `${'spring-customers-'.repeat(4)}.csv`,
  mimeType: 'text/csv',
  buffer: Buffer.from(
    [
      'Name;E-mail;City;Note',
      'Ada Lovelace;ada@mail.example;London;"says ""hello"""',
      'Bob;bob@nobody.example;;',
      'Ada again;ada@MAIL.example;Leeds;=1+1',
      `${'W'.repeat(90)};not given;Oslo;`,
      'Carl;carl@gmial.com;Bern;',
    ].join('\r\n'),
  ),
};

describe('email lists in a browser', function () {
  this.timeout(120_000);
  let platform: TestPlatform;
  let names: NameServer;
  let browser: Browser;
  let agent: Awaited<ReturnType<typeof owner>>['agent'];

  before(async () => {
    names = await startZone({
      'mail.example': { MX: ['mx.mail.example'] },
      'gmial.com': { MX: ['mx.mail.example'] },
    });
    platform = await TestPlatform.open({ env: { DNS_SERVERS: names.address } });
    ({ agent } = await owner(platform, { usd: 1 }));
    browser = await openChromium();
  });
  after(async () => {
    await browser?.close();
    await platform.close();
    await names.close();
  });

  it('are uploaded, validated, looked at and saved', async () => {
    const { page, context, faults } = await freshPage(browser, {
      viewport: { width: 1440, height: 900 },
    });
    await signInAs(page, platform, agent);
    await page.goto(`${platform.url}/console/emails`);
    const problems = await problemsOfLooks(page, 'no lists');
    await page.getByLabel('File').setInputFiles(FILE);
    await page.getByRole('button', { name: 'Upload' }).click();
    await page.getByRole('heading', { level: 1, name: /spring/ }).waitFor();
    await page.getByText('5 rows, 3 different addresses').waitFor();
    problems.push(...(await problemsOfLooks(page, 'a list')));
    await page.getByRole('button', { name: 'Validate 3 addresses' }).click();
    await page.getByText('It costs $0.006 at most').waitFor();
    problems.push(...(await problemsOfLooks(page, 'the question')));
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Validate 3 addresses' }).click();
    await page.getByText('The list was validated.').waitFor();
    problems.push(...(await problemsOfLooks(page, 'verdicts')));
    const saving = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download as CSV' }).click();
    const text = await readFile(await (await saving).path(), 'utf8');
    expect(text).to.match(/^Name,E-mail,City,Note,result_status,/);
    expect(text).to.include('Ada Lovelace,ada@mail.example,London,"says ""hello""",deliverable,');
    expect(text).to.include('carl@gmail.com');
    await page.goto(`${platform.url}/console/emails`);
    problems.push(...(await problemsOfLooks(page, 'lists')));
    expect(problems.join('\n')).to.equal('');
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
