// test:all: a client of others signs in, as the SDK does in npm test.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';

import { followLink } from './printed_link.ts';
import { OAuthRig } from './rig.ts';

const PROGRAM = join(
  dirname(createRequire(import.meta.url).resolve('mcp-remote/package.json')),
  'dist/proxy.js',
);

describe('mcp-remote, as a client starts it that knows programs only', function () {
  this.timeout(60_000);

  let rig: OAuthRig;
  /** The folder of its registrations and its tokens. */
  let kept: string;
  before(async () => {
    rig = await OAuthRig.open();
    kept = mkdtempSync(join(tmpdir(), 'mcp-remote-'));
  });
  after(async () => {
    await rig.close();
    rmSync(kept, { recursive: true });
  });

  /** Starts it. `said` is what it prints, so far. */
  function start() {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM, `${rig.origin}/mcp?tools=market`, '--allow-http'],
      // Its browser is a program that does nothing: the test reads the address that it prints.
      env: { PATH: process.env.PATH!, HOME: kept, MCP_REMOTE_CONFIG_DIR: kept, BROWSER: 'true' },
      stderr: 'pipe',
    });
    let printed = '';
    (transport.stderr as Readable).on('data', (text: Buffer) => (printed += text.toString()));
    const client = new Client({ name: 'test', version: '1.0.0' });
    return { client, connected: client.connect(transport), said: () => printed };
  }

  it('registers, sends its owner to sign in, buys, and meets the limit; then knows its token', async () => {
    const [seller, owner] = [await rig.platform.agent(), await rig.platform.agent({ usd: 20 })];
    const { id } = await rig.platform.product(seller, { price: 2, items: ['a', 'b'] });
    const { client, connected, said } = start();
    const { username } = owner;
    await followLink(rig, said, { username, scopes: ['read', 'buy'], limit: '3' });
    await connected;
    const call = { name: 'purchase_product', arguments: { product_id: id } };
    const buy = async (by: Client) =>
      ((await by.callTool(call)) as CallToolResult).structuredContent;
    expect(await buy(client)).to.include({ status: 'escrow' });
    await client.close();

    const again = start();
    await again.connected;
    expect(await buy(again.client)).to.include({ error: 'daily_limit_exceeded' });
    expect(again.said()).not.to.contain('/oauth/authorize?');
    await again.client.close();
    expect(await rig.platform.balance(owner)).to.equal(20.5 - 2.2);
  });
});
