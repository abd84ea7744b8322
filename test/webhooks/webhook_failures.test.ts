import { expect } from 'chai';

import { eventually, TestPlatform } from '../harness.ts';
import { answer, hang, reset, sendWithoutEnd, startReceiver, type Receiver } from './receiver.ts';
import { WebhookScene } from './scene.ts';
import { patience } from '../platform/pace.ts';

describe('webhooks whose receivers fail', () => {
  let scene: WebhookScene;
  let platform: TestPlatform;
  /** One of another owner that is sent to while the other tests run: it takes 15 seconds. */
  let hanging: Receiver & { readonly key: string };
  before(async () => {
    scene = await WebhookScene.open();
    ({ platform } = scene);
    const { key } = await platform.agent();
    hanging = { ...(await startReceiver()), key };
    hanging.behave(hang);
    scene.kept.push(hanging.url);
    const { webhook_id } = await scene.call('POST /api/v1/webhooks', { url: hanging.url }, key);
    await scene.call(`POST /api/v1/webhooks/${webhook_id}/test`, {}, key);
  });
  after(async () => {
    await platform.close();
    await hanging.close();
  });
  beforeEach(() => scene.begin());
  afterEach(() => scene.end());

  it('attempt again what did not arrive: 5 s, 5 min … later, and keep its id', async () => {
    const { webhook_id } = await scene.create();
    scene.receiver.behave(answer(500));
    await scene.write({ id: 1 });
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 7; attempt += 1) {
      await scene.sent();
      await scene.attempted(attempt);
      const [{ pause }] = await platform.query(
        `select extract(epoch from next_at - now())::float8 as pause from webhook_delivery
          where webhook_id = $1`,
        [webhook_id],
      );
      pauses.push(pause);
      await scene.pass();
    }
    const wanted = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
    wanted.forEach((seconds, n) =>
      expect(pauses[n]).to.be.within(seconds - patience(5), seconds * 1.1),
    );
    expect((await scene.show()).last_fault).to.equal('answered 500');
    scene.receiver.behave(answer(204));
    await scene.sent();
    await scene.attempted(0);
    expect(
      new Set(scene.receiver.received.map(({ headers }) => headers['webhook-id'])).size,
    ).to.equal(1);
    expect(scene.receiver.received).to.have.length(8);
    expect(
      await platform.query(
        `select from webhook_delivery where status <> 'arrived' and webhook_id = $1`,
        [webhook_id],
      ),
    ).to.deep.equal([]);
    expect((await scene.show()).failing_since).to.equal(null);
  });

  it('are disabled when nothing arrived in eight attempts, which is an event; and go on', async () => {
    const { webhook_id } = await scene.create();
    scene.receiver.behave(answer(410));
    await scene.write({ id: 1 });
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      await scene.sent();
      await scene.attempted(attempt % 8);
      await scene.pass();
    }
    expect(await scene.show()).to.include({ status: 'disabled', last_fault: 'answered 410' });
    const { events } = await scene.call('GET /api/v1/events?type=webhook.*');
    expect(events[0]).to.deep.include({
      type: 'webhook.disabled',
      object: { kind: 'webhook', id: webhook_id, status: 'disabled' },
    });
    scene.receiver.behave(answer(204));
    const { id: agentId, key } = await platform.agent();
    const other = await startReceiver();
    try {
      await scene.call('POST /api/v1/webhooks', { url: other.url }, key);
      await scene.write({ id: 2 }, { id: 3, agentId });
      await eventually(
        async () => other.received.length,
        (count) => count === 1,
      );
      expect(scene.receiver.received).to.have.length(8);
    } finally {
      await other.close();
    }
    await scene.call(`PATCH /api/v1/webhooks/${webhook_id}`, { status: 'active' });
    await scene.sent();
    expect(scene.objects()).to.include(2);
  });

  it('give up one event after eight attempts while others arrive, and tell of it once', async () => {
    const { webhook_id } = await scene.create();
    const isRefused = (type: string) =>
      ['order.refunded', 'webhook.delivery_failed'].includes(type);
    scene.receiver.behave((res) => {
      const { type } = scene.receiver.received.at(-1)!.event;
      res.writeHead(isRefused(type) ? 500 : 204).end();
    });
    const told = async () => (await scene.call('GET /api/v1/events?type=webhook.*')).events;
    const givenUp = async () => {
      const [{ count }] = await platform.query(
        `select count(*)::int as count from webhook_delivery
          where webhook_id = $1 and status = 'given_up'`,
        [webhook_id],
      );
      return count as number;
    };
    /** Another event arrives, and then what failed is attempted once more. */
    const again = async () => {
      await scene.write({ id: 2 });
      await scene.sent();
      await scene.pass();
      await scene.sent();
    };
    await scene.write({ id: 1, type: 'order.refunded' }, { id: 2 });
    while ((await givenUp()) < 1) await again();
    const [event, ...others] = await told();
    expect(others).to.deep.equal([]);
    expect(event).to.deep.include({
      type: 'webhook.delivery_failed',
      object: { kind: 'webhook', id: webhook_id, status: 'active' },
    });
    // The event that tells of it is given up itself, and nothing tells of that.
    while ((await givenUp()) < 2) await again();
    expect(await told()).to.have.length(1);
    expect((await scene.show()).status).to.equal('active');
  });

  it('follow no redirect, and bear receivers that reset and send without end', async () => {
    const target = await startReceiver();
    try {
      await scene.create();
      for (const [behaviour, fault] of [
        [answer(302, { location: target.url }), /^answered 302$/],
        [reset, /ECONNRESET|socket hang up/],
        [sendWithoutEnd, /longer than 65536 bytes/],
      ] as const) {
        scene.receiver.behave(behaviour);
        await scene.write({ id: 1 });
        await scene.sent();
        await eventually(
          () => scene.show(),
          ({ last_fault: found }) => fault.test(found ?? ''),
        );
        await scene.pass();
      }
      expect(target.received).to.deep.equal([]);
    } finally {
      await target.close();
    }
  });

  it('send the events of one object one after the other, and stop at the first that fails', async () => {
    await scene.create();
    let calls = 0;
    scene.receiver.behave((res) => res.writeHead((calls += 1) === 2 ? 500 : 204).end());
    await scene.write(
      { id: 7 },
      { id: 7, type: 'order.revealed' },
      { id: 7, type: 'order.completed' },
    );
    await scene.sent();
    expect(scene.receiver.received.map(({ event }) => event.type)).to.deep.equal([
      'order.created',
      'order.revealed',
      'order.completed',
    ]);
    const deliveries = await platform.query(
      'select status, attempted_at from webhook_delivery order by event_id desc limit 3',
    );
    const [completed, revealed] = deliveries;
    expect([completed.status, revealed.status]).to.deep.equal(['arrived', 'waiting']);
    expect(completed.attempted_at, 'in the round after').to.be.greaterThan(revealed.attempted_at);
    await scene.pass();
    await scene.sent();
    expect(scene.receiver.received.at(-1)!.event.type).to.equal('order.revealed');
  });

  it('are not held up by one whose receiver hangs', async () => {
    scene.receiver.behave(hang);
    await scene.create();
    const other = await platform.agent();
    const quick = await startReceiver();
    try {
      await scene.call('POST /api/v1/webhooks', { url: quick.url }, other.key);
      await scene.write({ id: 1 }, { id: 2, agentId: other.id });
      await eventually(
        async () => quick.received.length,
        (count) => count === 1,
      );
      const [{ arrived }] = await platform.query(
        'select count(*)::int as arrived from webhook where last_delivery is not null and root_id = $1',
        [scene.owner.id],
      );
      expect(arrived).to.equal(0);
      await scene.write({ id: 3, agentId: other.id });
      await eventually(
        async () => quick.received.length,
        (count) => count === 2,
      );
      expect(scene.receiver.received, 'while its round runs').to.have.length(1);
      await scene.receiver.close();
      await scene.ended();
    } finally {
      await quick.close();
    }
  });

  it('go to no private address, whatever leads there', async () => {
    const closed = await TestPlatform.open();
    try {
      const agent = await closed.agent();
      for (const url of [scene.receiver.url, 'http://169.254.169.254/latest', 'http://[::1]:1/']) {
        const { webhook_id } = (
          await closed.request('POST /api/v1/webhooks', { key: agent.key, body: { url } })
        ).body;
        await closed.request(`POST /api/v1/webhooks/${webhook_id}/test`, { key: agent.key });
        const { last_fault } = await eventually(
          async () =>
            (await closed.request('GET /api/v1/webhooks', { key: agent.key })).body.webhooks.at(-1),
          (webhook) => webhook.last_fault !== null,
        );
        expect(last_fault).to.include('does not lead to a public address');
      }
      expect(scene.receiver.received).to.deep.equal([]);
    } finally {
      await closed.close();
    }
  });

  it('are given up by the attempt when they have hung for 15 seconds', async () => {
    const fault = async () =>
      (await scene.call('GET /api/v1/webhooks', undefined, hanging.key)).webhooks[0].last_fault;
    expect(await eventually(fault, (found) => found !== null)).to.equal(
      'did not answer in 15 seconds',
    );
  });
});
