import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'chai';

import { connectionsTo } from '../api/docs/connect.ts';
import { HERE, openAsShown, textOf } from './documents/marketplace.ts';
import type { TestPlatform } from './harness.ts';
import { openShell, shapeOf, snippetsOf } from './snippets.ts';

const KEY = 'vnx_…';

describe('README.md', () => {
  const snippets = snippetsOf(textOf('README.md'));
  const shell = openShell();
  let platform: TestPlatform;
  let close: () => Promise<void>;
  let key: string;

  before(async () => ({ platform, close } = await openAsShown()));
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
    /** Connects like a client that was given this URL and these headers. */
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

    it('OpenAI, which sends these headers to this server', async () => {
      const { text } = connectionsTo(HERE).find(({ client }) => client === 'OpenAI')!;
      const { type, server_url: url, headers } = JSON.parse(here(text));
      expect(type).to.equal('mcp');
      await connect(url, headers);
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
