import { expect } from 'chai';

import { openSseChannels } from '../../../api/mcp/sse/sse_channel.ts';
import { openPubSub } from '../../../shared/platform/pubsub.ts';
import { eventually, TestPlatform } from '../../harness.ts';
import { openStream, pathOf } from './sse_client.ts';

describe('a stream of MCP whose key is revoked', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(() => platform.close());

  /** A stream, and the function that revokes its key. */
  async function openRevocable() {
    const owner = await platform.agent();
    const key = await platform.keyOf(owner, ['read']);
    const stream = await eventually(
      () => openStream(platform.url, key),
      ({ status }) => status === 200,
    );
    const path = await pathOf(stream);
    const { body } = await platform.request('GET /api/v1/agent/keys', owner);
    const { key_id } = body.keys.find(({ scopes }: { scopes: string[] }) => scopes.length === 1);
    const revoke = () => platform.request(`DELETE /api/v1/agent/keys/${key_id}`, owner);
    return { key, stream, path, revoke };
  }

  it('ends within seconds', async () => {
    const { stream, revoke } = await openRevocable();
    const revokedAt = Date.now();
    await revoke();
    expect(await stream.next()).to.equal(undefined);
    expect(Date.now() - revokedAt).to.be.lessThan(10_000);
  });

  it('answers no message that a process hands on which has not heard of it yet', async () => {
    const { key, stream, path, revoke } = await openRevocable();
    const { context, config } = platform;
    const caller = (await context.keys.find(key))!;
    await revoke();
    await context.keys.look();
    const channels = openSseChannels(context, openPubSub(config.redisUrl, context.log));
    const session = path.slice(path.indexOf('=') + 1);
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' } as const;
    expect(await channels.publish({ session, caller }, { requestId: 'late', message })).to.equal(1);
    expect(await stream.next()).to.equal(undefined);
  });
});
