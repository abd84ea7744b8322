import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';

import { eventually, TestPlatform } from '../../harness.ts';
import { buy, meet } from '../../orders/trade.ts';
import { connectBySse } from './sse_client.ts';

const EVENTS = 'marketplace://events';

describe('subscriptions of MCP, by HTTP with SSE', () => {
  let platform: TestPlatform;
  const clients: Client[] = [];
  before(async () => {
    platform = await TestPlatform.open();
  });
  afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));
  after(() => platform.close());

  /** A client, and the URIs of which it was told that they have changed. */
  async function connect({ key }: { key: string }) {
    const client = await connectBySse(key, platform.url);
    clients.push(client);
    const updated: string[] = [];
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      updated.push(params.uri);
    });
    return { client, updated };
  }
  const confirm = ({ key }: { key: string }, orderId: number) =>
    platform.request(`POST /api/v1/orders/${orderId}/confirm`, { key });

  it('tell of each change of an order, and of every event, but of no other order', async () => {
    const { buyer, seller, product } = await meet(platform, { usd: 20, items: ['A', 'B', 'C'] });
    const [first, second] = [
      await buy(platform, buyer, product),
      await buy(platform, buyer, product),
    ];
    const [one, all, sale] = [await connect(buyer), await connect(buyer), await connect(seller)];
    const uri = `marketplace://orders/${first}`;
    await one.client.subscribeResource({ uri });
    await all.client.subscribeResource({ uri: EVENTS });
    await sale.client.subscribeResource({ uri });
    await confirm(buyer, second);
    await eventually(
      async () => all.updated,
      ({ length }) => length === 1,
    );
    await confirm(buyer, first);
    await eventually(
      async () => [one.updated, all.updated, sale.updated],
      (updated) => updated.every(({ length }) => length > 0) && all.updated.length === 2,
    );
    expect([one.updated, all.updated]).to.deep.equal([[uri], [EVENTS, EVENTS]]);
    expect(new Set(sale.updated)).to.deep.equal(new Set([uri]));
    const { contents } = await one.client.readResource({ uri });
    expect(JSON.parse((contents[0] as { text: string }).text)).to.include({ status: 'completed' });
  });

  it('end when their client says so', async () => {
    const { buyer, product } = await meet(platform, { usd: 20, items: ['A', 'B'] });
    const { client, updated } = await connect(buyer);
    const orderId = await buy(platform, buyer, product);
    const uri = `marketplace://orders/${orderId}`;
    await client.subscribeResource({ uri });
    await client.subscribeResource({ uri: EVENTS });
    await client.unsubscribeResource({ uri });
    await confirm(buyer, orderId);
    await eventually(
      async () => updated,
      ({ length }) => length > 0,
    );
    expect(new Set(updated)).to.deep.equal(new Set([EVENTS]));
  });

  it('are refused for what its client may not see, and for what has no events', async () => {
    const { buyer, product } = await meet(platform);
    const orderId = await buy(platform, buyer, product);
    const { client, updated } = await connect(await platform.agent());
    for (const [uri, message] of [
      [`marketplace://orders/${orderId}`, /not found/i],
      ['marketplace://wallet', /cannot be subscribed to/],
      ['marketplace://nothing', /cannot be subscribed to/],
    ] as const) {
      const error: Error = await client.subscribeResource({ uri }).then(
        () => expect.fail(`${uri} was subscribed to`),
        (refused: Error) => refused,
      );
      expect(error.message, uri).to.match(message);
    }
    await client.subscribeResource({ uri: EVENTS });
    await confirm(buyer, orderId);
    const other = await connect(buyer);
    await other.client.subscribeResource({ uri: EVENTS });
    await buy(platform, buyer, await platform.product(await platform.agent())).catch(
      () => undefined,
    );
    await eventually(
      async () => other.updated,
      ({ length }) => length > 0,
    );
    expect(updated, 'events of others').to.deep.equal([]);
  });

  it('are declared by streams, and not where no stream stays open', async () => {
    const agent = await platform.agent();
    const { client } = await connect(agent);
    expect(client.getServerCapabilities()).to.deep.include({ resources: { subscribe: true } });
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    const { body } = await platform.request('POST /api/v1/mcp', {
      key: agent.key,
      body: { jsonrpc: '2.0', id: 1, method: 'initialize', params },
    });
    expect(body.result.capabilities.resources).to.deep.equal({});
  });
});
