import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { CHAPTERS } from '../../api/console/manual/chapters.ts';
import { documentOf, targetOf } from '../../api/console/manual/document.ts';
import { CODES } from '../../shared/kernel/refusal.ts';
import { TestPlatform } from '../harness.ts';
import { ROOT } from '../sources.ts';
import { BrowserLike } from './browser_like.ts';

const LOCAL = 'http://localhost:3000';
const htmlOf = (name: string, url = LOCAL) => documentOf(name, url).html;
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

  it('names the address of this marketplace to those who use it', async () => {
    const deployed = 'https://market.example';
    const page = htmlOf('guide/getting_started', deployed);
    expect(page).to.include(`curl -s ${deployed}/api/v1/orders`);
    expect(page).not.to.match(/localhost|npm (start|run)|id="start-it"/);
    expect(htmlOf('guide/getting_started')).to.match(/<h2 id="start-it">[^]+npm run pay/);
    const users = CHAPTERS.filter(({ isForOperators }) => !isForOperators);
    for (const { name } of users.flatMap(({ chapters }) => chapters)) {
      expect(htmlOf(name, deployed), name).not.to.include(LOCAL);
    }
    expect(htmlOf('operations', deployed)).to.include(LOCAL);
  });

  it('lists documents for who uses it apart from those for who runs it', async () => {
    const browser = new BrowserLike(platform);
    const linked = async (path: string) => {
      const [nav] = /<nav aria-label="Chapters">[^]+?<\/nav>/.exec((await browser.get(path)).text)!;
      return [...nav.matchAll(/href="\/docs\/([^"]+)"/g)].map(([, name]) => name!);
    };
    const user = await linked('/docs/owners');
    expect(user).to.include.members(['owners', 'rails/x402', 'deployment']);
    expect(user).not.to.include.members(['backup', 'architecture']);
    const operator = await linked('/docs/backup');
    expect(operator).to.include.members(['backup', 'architecture', 'guide/getting_started']);
    expect(operator).not.to.include('owners');
    const { text } = await browser.get('/docs/owners');
    expect(text).to.match(/<ul class="contents"><li><a href="#[^"]+">/);
  });

  it('gives examples to copy, without prompts and answers, and as tabs of a language', () => {
    const page = htmlOf('first_purchase');
    const [, copied] = /data-copy="([^"]+)"/.exec(page)!;
    expect(copied!.split('\n')[0]).to.match(/^curl -s http:\/\/localhost:3000\/api/);
    expect(copied).not.to.match(/^\$ |&quot;success&quot;/m);
    const [tabs] = /<div class="tabs">[^]+?<\/details><\/div>/.exec(page)!;
    expect(
      [...tabs.matchAll(/<summary>(\w+)<\/summary>/g)].map(([, title]) => title),
    ).to.deep.equal(['TypeScript', 'Python']);
    expect(tabs.match(/ open>/g)).to.have.length(1);
  });

  it('is searched by words, most of which are in what is found', async () => {
    const browser = new BrowserLike(platform);
    for (const [query, wanted] of [
      ['rate limit', 'guide/calls#how-many-calls'],
      ['How do I withdraw?', 'rails/withdrawals#for-owners'],
      ['chargeback', 'rails/card#money-by-card'],
      ['idempotency', 'guide/calls#one-effect-however-often-it-is-sent'],
    ] as const) {
      const { text } = await browser.get(`/docs?query=${encodeURIComponent(query)}`);
      const hrefs = [...text.matchAll(/<h2><a href="\/docs\/([^"]+)">/g)].map(([, href]) => href);
      expect(hrefs.slice(0, 5), query).to.include(wanted);
    }
    for (const [query, answer] of [
      ['zebra unicorn', 'No section has these words'],
      ['"><script>alert(1)</script>', '&quot;>&lt;script>'],
      ['\u0000%', 'No section'],
    ] as const) {
      const reply = await browser.get(`/docs?query=${encodeURIComponent(query)}`);
      expect(reply.status).to.equal(200);
      expect(reply.text).to.contain(answer).and.not.contain('<script>alert');
    }
    expect((await browser.get('/docs?query=+')).text).to.contain('id="getting-started"');
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
