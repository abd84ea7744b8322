import { expect } from 'chai';

import { eventually, TestPlatform } from '../harness.ts';
import type { Agent } from '../orders/trade.ts';
import { hang, startReceiver, type Receiver } from './receiver.ts';
import { WebhookScene } from './scene.ts';

describe('the slots of a worker for webhooks', () => {
  let scene: WebhookScene;
  let platform: TestPlatform;
  let quick: Receiver;
  before(async () => {
    const env = { EGRESS_ALLOW: '127.0.0.0/8', WORKER_CONCURRENCY: '1' }; // eight slots
    platform = await TestPlatform.open({ env });
    scene = new WebhookScene(platform);
  });
  after(() => platform.close());
  beforeEach(async () => {
    await scene.begin();
    scene.receiver.behave(hang);
    quick = await startReceiver();
  });
  afterEach(async () => {
    await scene.end();
    await quick.close();
  });

  /** Makes webhooks of each owner, whose receiver hangs, with an event for each. */
  async function hold(owners: readonly Agent[], count: number, { failing = false } = {}) {
    for (const owner of owners) {
      for (let n = 0; n < count; n += 1) {
        await scene.call('POST /api/v1/webhooks', { url: scene.receiver.url }, owner.key);
      }
    }
    if (failing)
      await platform.query('update webhook set failing_since = now(), failed_rounds = 1');
    await scene.write(...owners.map(({ id }) => ({ agentId: id, id })));
  }

  /** How many messages hang when another owner's event has arrived. */
  async function untilOthersArrive(): Promise<number> {
    const other = await platform.agent();
    await scene.call('POST /api/v1/webhooks', { url: quick.url }, other.key);
    await scene.write({ agentId: other.id, id: other.id });
    await eventually(
      async () => quick.received.length,
      (count) => count === 1,
    );
    const hanging = scene.receiver.received.length;
    const ended = await platform.query(
      'select from webhook where url = $1 and last_fault is not null',
      [scene.receiver.url],
    );
    expect(ended, 'rounds that have ended').to.deep.equal([]);
    await scene.receiver.close();
    await scene.ended();
    return hanging;
  }

  it('are not all taken by the webhooks of a few trees', async () => {
    await hold([scene.owner, await platform.agent()], 10);
    expect(await untilOthersArrive(), 'four, and half of the others').to.be.at.most(6);
  });

  it('are not all taken by receivers that fail, of however many trees', async () => {
    const owners: Agent[] = [];
    for (let n = 0; n < 6; n += 1) owners.push(await platform.agent());
    await hold(owners, 2, { failing: true });
    expect(await untilOthersArrive()).to.be.at.most(4);
  });
});
