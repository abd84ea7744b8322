import {
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';

import { Kept } from './kept.ts';
import { OAuthRig } from './rig.ts';

type OfClient = NonNullable<Awaited<ReturnType<OAuthClientProvider['clientInformation']>>>;
type OfTokens = NonNullable<Awaited<ReturnType<OAuthClientProvider['tokens']>>>;

describe("the client of MCP's SDK", () => {
  let rig: OAuthRig;
  before(async () => (rig = await OAuthRig.open()));
  after(() => rig.close());

  /** Connects as a program does: it is refused, its owner signs in, and it connects again. */
  async function connect(path: string, username: string) {
    const kept = new Kept<OfClient, OfTokens>();
    const open = async () => {
      const client = new Client({ name: 'test', version: '1.0.0' });
      const url = new URL(rig.origin + path);
      const transport = new StreamableHTTPClientTransport(url, { authProvider: kept });
      const connected = client.connect(transport as Parameters<typeof client.connect>[0]);
      return { client, transport, connected };
    };
    const first = await open();
    const refused = await first.connected.then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refused).to.be.instanceOf(UnauthorizedError);
    const back = await rig.consent(kept.sentTo, { username, scopes: ['read', 'buy'], limit: '3' });
    await first.transport.finishAuth(back.get('code')!);
    const { client, connected } = await open();
    await connected;
    return { client, kept };
  }

  it('goes all the way at /mcp, buys, and meets the limit of its owner', async () => {
    const [seller, owner] = [await rig.platform.agent(), await rig.platform.agent({ usd: 20 })];
    const { id } = await rig.platform.product(seller, { price: 2, items: ['a', 'b'] });
    const { client, kept } = await connect('/mcp?tools=market', owner.username);
    expect(new URL(kept.sentTo).searchParams.get('scope')).to.equal('read buy');
    expect(new URL(kept.sentTo).searchParams.get('resource')).to.equal(rig.resource);
    await client.listTools();
    const buy = async () => {
      const call = { name: 'purchase_product', arguments: { product_id: id } };
      return ((await client.callTool(call)) as CallToolResult).structuredContent;
    };
    expect(await buy()).to.include({ status: 'escrow' });
    expect(await buy()).to.include({ error: 'daily_limit_exceeded' });
    await client.close();
  });

  it('goes all the way at the address of a set of tools', async () => {
    const owner = await rig.platform.agent();
    const { client } = await connect('/mcp/x/start/readonly', owner.username);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).to.include('search_assets');
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).to.equal(true);
    expect(client.getInstructions()).to.contain('search_assets');
    await client.close();
  });

  it('refreshes by itself when its token has ended', async () => {
    const owner = await rig.platform.agent();
    const { client, kept } = await connect('/mcp', owner.username);
    const before = kept.tokens()!.access_token;
    await rig.platform.query(
      `update api_key set expires_at = now() - interval '1 second' where connection_id is not null
         and agent_id in (select id from agent where owner_id = $1)`,
      [owner.id],
    );
    await rig.platform.context.keys.look();
    const call = { name: 'agent_me', arguments: {} };
    const { structuredContent } = (await client.callTool(call)) as CallToolResult;
    expect(structuredContent).to.include({ owner_id: owner.id });
    expect(kept.tokens()!.access_token).not.to.equal(before);
    await client.close();
  });
});
