import { expect } from 'chai';

import { openSseChannels } from '../../../api/mcp/sse/sse_channel.ts';
import { openPubSub } from '../../../shared/platform/pubsub.ts';
import { TestPlatform } from '../../harness.ts';
import { openStream, pathOf } from './sse_client.ts';

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' } as const;

describe('a stream of MCP whose key is revoked', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(() => platform.close());

  it('ends within seconds', async () => {
    const owner = await platform.agent();
    const key = await platform.keyOf(owner, ['read']);
    const stream = await openStream(platform.url, key);
    await pathOf(stream);
    const { body } = await platform.request('GET /api/v1/agent/keys', { key: owner.key });
    const { key_id } = body.keys.find(({ scopes }: { scopes: string[] }) => scopes.length === 1);
    const revokedAt = Date.now();
    await platform.request(`DELETE /api/v1/agent/keys/${key_id}`, { key: owner.key });
    expect(await stream.next()).to.equal(undefined);
    expect(Date.now() - revokedAt).to.be.lessThan(10_000);
  });

  it('answers no message once its process knows it', async () => {
    const owner = await platform.agent();
    const key = await platform.keyOf(owner, ['read']);
    const stream = await openStream(platform.url, key);
    const path = await pathOf(stream);
    const caller = (await platform.context.keys.find(key))!;
    const route = `DELETE /api/v1/agent/keys/${caller.keyId}`;
    expect((await platform.request(route, { key: owner.key })).status).to.equal(200);
    await platform.context.keys.look();
    // As another API process does that has not yet looked.
    const { context, config } = platform;
    const channels = openSseChannels(context, openPubSub(config.redisUrl, context.log));
    const posted = { requestId: 'late', message: PING };
    await channels.publish({ session: path.split('=')[1]!, caller }, posted);
    expect(await stream.next()).to.equal(undefined);
  });
});
