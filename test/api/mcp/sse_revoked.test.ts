import { expect } from 'chai';

import { openSseChannels } from '../../../api/mcp/sse/sse_channel.ts';
import { openPubSub } from '../../../shared/platform/pubsub.ts';
import { TestPlatform } from '../../harness.ts';
import { openRevocable } from './revocable_stream.ts';

describe('a stream of MCP whose key is revoked', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(() => platform.close());

  it('ends', async () => {
    const { stream, revoke } = await openRevocable(platform);
    await revoke();
    expect(await stream.next()).to.equal(undefined);
  });

  it('answers no message that a process hands on which has not heard of it yet', async () => {
    const { key, stream, path, revoke } = await openRevocable(platform);
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
