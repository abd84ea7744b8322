import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { perform } from '../../shared/performing/perform.ts';
import { createWebhook } from '../../shared/domains/webhooks/create_webhook.ts';
import { happen, openTransaction } from '../events/scene.ts';
import { eventually, type TestPlatform } from '../harness.ts';
import { callerAbove } from '../policy.ts';
import { WebhookScene } from './scene.ts';

describe('a webhook', () => {
  let scene: WebhookScene;
  let platform: TestPlatform;
  before(async () => {
    scene = await WebhookScene.open();
    ({ platform } = scene);
  });
  after(() => platform.close());
  beforeEach(() => scene.begin());
  afterEach(() => scene.end());

  it('is sent an event that is committed after those that came later', async () => {
    const { webhook_id } = await scene.create();
    const pause = `update webhook set not_before = 'infinity' where id = $1`;
    await platform.query(pause, [webhook_id]);
    await scene.write({ id: 1 });
    await eventually(
      async () => (await scene.call('GET /api/v1/events')).events.length,
      (listed) => listed === 1,
    );
    const late = await openTransaction(platform);
    await happen(late.db, { agentId: scene.owner.id, id: 2 });
    await scene.write({ id: 3 });
    await scene.pass();
    await eventually(
      async () => scene.objects(),
      (objects) => objects.includes(1),
    );
    await scene.ended();
    await late.commit();
    await scene.sent();
    expect(scene.objects()).to.deep.equal([1, 2, 3]);
  });

  it('is sent nothing in the clear in production', async () => {
    const { context } = platform;
    const production = { ...context, config: { ...context.config, production: true } };
    const make = async (url: string) => {
      const caller = await callerAbove(platform, scene.owner.id);
      const now = context.clock.now();
      const call = { caller, key: randomUUID(), now, requestId: 'test' };
      return perform(production, createWebhook, { url }, call).then(
        () => 'made',
        (error: { code: string }) => error.code,
      );
    };
    expect(await make('http://example.com/events')).to.equal('validation_error');
    expect(await make('https://example.com/events')).to.equal('made');
  });

  it('is sent to at once when its owner has changed it, however long it failed', async () => {
    const { webhook_id } = await scene.create();
    await platform.query(
      `update webhook set not_before = now() + interval '1 hour', failed_rounds = 7,
              failing_since = now() - interval '1 day' where id = $1`,
      [webhook_id],
    );
    await scene.write({ id: 1 });
    const changed = await scene.call(`PATCH /api/v1/webhooks/${webhook_id}`, {
      description: 'It.',
    });
    expect(changed.failing_since).to.equal(null);
    await eventually(
      async () => scene.objects(),
      (ids) => ids.length === 1,
    );
    const [{ failed_rounds }] = await platform.query(
      'select failed_rounds from webhook where id = $1',
      [webhook_id],
    );
    expect(failed_rounds).to.equal(0);
  });
});
