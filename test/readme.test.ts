import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'chai';

import { connectionsTo } from '../api/docs/connect.ts';
import { DEMO } from '../local/demo/catalogue.ts';
import { startZone } from './email/zone.ts';
import type { TestPlatform } from './harness.ts';
import { stock } from './proxies/stock.ts';
import { openWithStripe } from './sandbox/stripe_platform.ts';
import { openShell, sessionOf, shapeOf, snippetsOf } from './snippets.ts';
import { ROOT } from './sources.ts';
import { openPaying } from './x402/scene.ts';
import { walletWith } from './x402/wallets.ts';

const HERE = 'http://localhost:3000';
const KEY = 'vnx_…';
const PAYER_KEY = '.data/x402_payer_key';
const PAGES = [
  'first_purchase',
  'boards/messages',
  'boards/inbox',
  'boards/datasets',
  'rails/card',
  'rails/x402',
  'proxies',
  'email',
  'owners',
  'events',
  // Registers an agent, whose key is used from then on.
  'boards/labor',
  'guide/money',
].map((name) => `docs/${name}.md`);
const textOf = (name: string) => readFileSync(join(ROOT, name), 'utf8');

/** A marketplace as `npm start` makes it: with its demo goods, whose seller came first. */
async function open(settings: Record<string, string> = {}) {
  const zone = await startZone({
    'gmail.com': { MX: ['mx.gmail.com'] },
    'mx.gmail.com': { A: ['198.51.100.25'] },
  });
  const env = { DNS_SERVERS: zone.address, RATE_LIMIT_FREE: '600', ...settings };
  const stripe = await openWithStripe({ env });
  const { platform } = stripe;
  const seller = await platform.agent();
  for (const product of DEMO) await platform.product(seller, { ...product });
  await stock(platform, { count: 2, country: 'DE' });
  const close = async () => {
    await stripe.close();
    await zone.close();
  };
  return { platform, close };
}

describe('README.md', () => {
  const snippets = snippetsOf(textOf('README.md'));
  const shell = openShell();
  let platform: TestPlatform;
  let close: () => Promise<void>;
  let key: string;

  before(async () => ({ platform, close } = await open()));
  after(async () => {
    shell.close();
    await close();
  });

  const here = (text: string) => text.replaceAll(HERE, platform.url).replaceAll(KEY, key ?? KEY);
  const shellOf = (program: string) =>
    snippets.filter(({ language, text }) => language === 'sh' && text.startsWith(program));

  it('has only snippets that this test runs', () => {
    const starts = snippets.map(({ language, text }) => `${language} ${text.slice(0, 8)}`);
    expect(starts).to.deep.equal([
      'sh git clon',
      'sh curl -s ',
      'json {"succes',
      'sh claude m',
      'json {\n  "mcp',
      'json {\n  "inp',
      'json {\n  "mcp',
      'sh curl -s ',
      'json {"order_',
      'sh npm test',
    ]);
  });

  it('starts by two commands; npm has them', () => {
    const [start] = shellOf('git clone');
    expect(start!.text).to.match(/^git clone .* market && cd market\nnpm start$/);
    const { scripts } = JSON.parse(textOf('package.json'));
    expect(scripts).to.include.keys('start', 'test');
  });

  it('registers with curl, finds, buys and opens, and shows what is answered', async () => {
    const [register, purchase] = shellOf('curl');
    const answers = snippets.filter(({ text }) => text.startsWith('{"')).map(({ text }) => text);
    const registered = JSON.parse(await shell.run(here(register!.text)));
    expect(shapeOf(registered)).to.deep.equal(shapeOf(JSON.parse(answers[0]!)));
    key = registered.api_key.key;
    const bought = (await shell.run(here(purchase!.text))).split('\n');
    expect(JSON.parse(bought[0]!).products[0].product_id).to.equal(3);
    expect(JSON.parse(bought.at(-1)!)).to.deep.equal(JSON.parse(answers[1]!));
  });

  describe('connects', () => {
    /** As a client does that was given this URL and these headers. */
    async function connect(url: string, headers: Record<string, string>) {
      const client = new Client({ name: 'readme', version: '1.0.0' });
      const requestInit = { headers };
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
      const me = await client.callTool({ name: 'agent_me', arguments: {} });
      expect(me.structuredContent).to.include({ username: 'ada' });
      await client.close();
    }
    const headersOf = (line: string) => {
      const [name, ...value] = line.split(':');
      return { [name!]: value.join(':').trim() };
    };
    const shownFor = (client: string) => {
      const { text } = connectionsTo(HERE).find((one) => one.client === client)!;
      expect(snippets.map((one) => one.text)).to.include(text);
      return here(text);
    };

    it('Claude Code', async () => {
      const args = JSON.parse(await shell.run(shownFor('Claude Code'))) as string[];
      expect(args.slice(0, 5)).to.deep.equal(['mcp', 'add', '--transport', 'http', 'market']);
      expect(args[6]).to.equal('--header');
      await connect(args[5]!, headersOf(args[7]!));
    });

    it('Cursor', async () => {
      const { url, headers } = JSON.parse(shownFor('Cursor')).mcpServers.market;
      await connect(url, headers);
    });

    it('VS Code, with the key that it asks for', async () => {
      const { inputs, servers } = JSON.parse(shownFor('VS Code'));
      const { url, headers } = servers.market;
      const Authorization = headers.Authorization.replace(`\${input:${inputs[0].id}}`, key);
      await connect(url, { Authorization });
    });

    it('mcp-remote', async () => {
      const { args, env } = JSON.parse(shownFor('mcp-remote')).mcpServers.market;
      const [url, , header] = args.slice(args.indexOf('mcp-remote') + 1) as string[];
      const given = header!.replace(/\$\{(\w+)\}/, (_, name: string) => env[name]);
      await connect(url!, headersOf(given));
    });

    it('curl', async () => {
      const { text } = connectionsTo(HERE).find(({ client }) => client === 'curl')!;
      expect(JSON.parse(await shell.run(here(text)))).to.include({ username: 'ada' });
    });
  });
});

describe('the pages of docs/', () => {
  const found = readdirSync(join(ROOT, 'docs'), { recursive: true }) as string[];
  const pages = ['README.md', ...found.map((name) => `docs/${name}`)];
  const documents = pages.filter((name) => name.endsWith('.md'));

  it('link only to what is there', () => {
    const broken = documents.flatMap((page) =>
      [...textOf(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].flatMap(([, link]) => {
        const [path, anchor] = link!.split('#') as [string, string?];
        const file = path ? join(dirname(page), path) : page;
        if (!existsSync(join(ROOT, file))) return [`${page}: ${link}`];
        const titles = anchor ? [...textOf(file).matchAll(/^#+ (.*)$/gm)] : [];
        const isThere = titles.some(([, title]) => anchor === anchorOf(title!));
        return anchor && !isThere ? [`${page}: ${link}`] : [];
      }),
    );
    expect(broken).to.deep.equal([]);
  });

  it('show calls as they are answered', async () => {
    const paying = await openPaying();
    const { platform, close } = await open(paying.settings);
    const keyFile = join(mkdtempSync(join(tmpdir(), 'wallet-')), 'key');
    writeFileSync(keyFile, (await walletWith(paying.evm)).privateKey);
    const shell = openShell();
    let key = '';
    try {
      for (const page of PAGES) {
        const steps = snippetsOf(textOf(page)).flatMap(sessionOf);
        expect(steps.length, page).to.be.greaterThan(0);
        for (const { command, answer } of steps) {
          if (command.startsWith('KEY=')) continue;
          const sent = command.replaceAll(HERE, platform.url).replace(PAYER_KEY, keyFile);
          const where = Object.keys(WHERE).find((program) => command.startsWith(program));
          const printed = await shell.run(where ? sent + WHERE[where] + platform.url : sent, {
            KEY: key,
          });
          if (command.startsWith('npm ')) {
            expect(wordsOf(printed), command).to.equal(wordsOf(answer));
          }
          if (!answer.startsWith('{')) continue;
          const got = JSON.parse(printed);
          key = got.api_key?.key ?? key;
          expect(shapeOf(got), command).to.deep.equal(shapeOf(JSON.parse(answer)));
        }
      }
    } finally {
      shell.close();
      await close();
      await paying.close();
    }
  });
});

/** How a program is told where the marketplace is. */
const WHERE: Readonly<Record<string, string>> = { 'node ': ' ', 'npm run pay ': ' --url ' };

/** The last line, without its numbers. */
const wordsOf = (printed: string) =>
  printed
    .split('\n')
    .at(-1)!
    .replaceAll(/[\d.]+/g, '0');

/** As GitHub makes it of a title. */
const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
