import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { expect } from 'chai';

import { usdOf } from '../../api/console/parts/text.tsx';
import { PAGES } from '../../api/console/routes.ts';
import { TestPlatform } from '../harness.ts';
import { busyOwner } from './busy_owner.ts';

/** Amounts that a page shows wherever an answer has them. */
const SHOWN = new Set(['balance', 'total_due', 'total', 'budget']);

const run = promisify(execFile);

describe('"This page by API"', function () {
  this.timeout(60_000);
  let platform: TestPlatform;
  let busy: Awaited<ReturnType<typeof busyOwner>>;
  before(async () => {
    platform = await TestPlatform.open();
    busy = await busyOwner(platform);
  });
  after(() => platform.close());

  const pages = PAGES.filter(({ access }) => access === 'owner');
  /** The calls of a page, as a person would copy them. */
  const callsOf = (html: string) => {
    const [, printed = ''] = /<details class="api">.*?<code>(.*?)<\/code>/s.exec(html) ?? [];
    return printed.split('\n').filter(Boolean).map(textOf);
  };

  for (const page of pages) {
    it(`of ${page.path} is what a shell runs, with the numbers of the page`, async () => {
      const { status, text } = await busy.browser.get(busy.pathOf(page));
      expect(status).to.equal(200);
      const calls = callsOf(text);
      expect(calls.length > 0).to.equal(Object.keys(page.reads).length > 0 || calls.length > 0);
      const shown = textOf(text.replaceAll(/<[^>]*>/g, ' '));
      for (const call of calls) {
        const env = { PATH: process.env.PATH!, MARKET: platform.url, KEY: busy.agent.key };
        const answer = JSON.parse((await run('sh', ['-c', `${call} -s`], { env })).stdout);
        expect(answer, call).to.not.have.property('error');
        for (const [name, value] of Object.entries(answer)) {
          if (!SHOWN.has(name) || typeof value !== 'number') continue;
          expect(shown, `${name} of ${call}`).to.include(usdOf(value));
        }
      }
    });
  }
});

const textOf = (html: string) =>
  html
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
