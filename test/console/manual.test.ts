import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { CHAPTERS } from '../../console/front/chapters.ts';
import { htmlOf, targetOf } from '../../console/front/manual.tsx';
import { CODES } from '../../shared/kernel/refusal.ts';
import { TestPlatform } from '../harness.ts';
import { ROOT } from '../sources.ts';
import { BrowserLike } from './browser_like.ts';

const names = CHAPTERS.flatMap(({ chapters }) => chapters.map(({ name }) => name));

describe('the documentation at /docs', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(() => platform.close());

  it('has every document of docs/, once', () => {
    const found = readdirSync(join(ROOT, 'docs'), { recursive: true }) as string[];
    const documents = found.filter((name) => name.endsWith('.md'));
    expect(documents.map((name) => name.replace(/\.md$/, '')).sort()).to.deep.equal(
      names.toSorted(),
    );
  });

  it('serves each as a page, whose links lead to pages that have what they name', async () => {
    const browser = new BrowserLike(platform);
    for (const name of names) {
      const { status, text } = await browser.get(`/docs/${name}`);
      expect(status, name).to.equal(200);
      expect(text)
        .to.contain('aria-current="page"')
        .and.match(/<article><h1 id=/);
    }
    const broken = names.flatMap((name) =>
      [...htmlOf(name).matchAll(/href="(?:\/docs\/([^"#]+))?(?:#([^"]+))?"/g)].flatMap(
        ([link, to = name, anchor]) => {
          const isThere = anchor === undefined || htmlOf(to).includes(`id="${anchor}"`);
          return names.includes(to) && isThere ? [] : [`${name}: ${link}`];
        },
      ),
    );
    expect(broken).to.deep.equal([]);
  });

  it('leads to no file of the code, and nowhere outside of docs/', async () => {
    expect(targetOf('rails/card', '../owners.md#limit')).to.equal('/docs/owners#limit');
    expect(targetOf('rails/card', '../../README.md')).to.equal(undefined);
    expect(targetOf('owners', 'examples/first_purchase.mjs')).to.equal(undefined);
    expect(targetOf('owners', 'https://example.com/"x')).to.equal('https://example.com/&quot;x');
    const browser = new BrowserLike(platform);
    for (const path of ['nothing', '..%2FREADME', 'examples/first_purchase', '%2e%2e/package']) {
      expect((await browser.get(`/docs/${path}`)).status, path).to.equal(404);
    }
  });

  it('names every code of an error, as it is answered', () => {
    const page = readFileSync(join(ROOT, 'docs/guide/errors.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `(\w+)` \| (\d+) \| (yes|no) \| .+ \| (.*) \|$/gm)];
    const shown = rows.map(([, code, status, retryable, next]) => ({
      code,
      status: Number(status),
      retryable: retryable === 'yes',
      next: next!.split(', ').filter(Boolean),
    }));
    const codes = Object.entries(CODES).map(([code, { status, retryable, next }]) => ({
      code,
      status,
      retryable,
      next: next.map((name) => `\`${name}\``),
    }));
    expect(shown).to.deep.equal(codes);
  });
});
