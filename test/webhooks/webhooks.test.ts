import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { expect } from 'chai';

import { webhooksProofs } from '../../shared/domains/webhooks/proofs.ts';
import { eventually, type TestPlatform } from '../harness.ts';
import { inQueue } from '../in_queue.ts';
import { ROOT } from '../sources.ts';
import { answer, verify } from './receiver.ts';
import { WebhookScene } from './scene.ts';

describe('webhooks', () => {
  let scene: WebhookScene;
  let platform: TestPlatform;
  before(async () => {
    scene = await WebhookScene.open();
    ({ platform } = scene);
  });
  after(() => platform.close());
  beforeEach(() => scene.begin());
  afterEach(() => scene.end());

  it('send what happened as list_events shows it, signed, and once', async () => {
    const { secret } = await scene.create();
    await scene.write({ id: 1 }, { id: 2, type: 'task.posted' });
    await scene.sent();
    await scene.sent();
    const { events } = await scene.call('GET /api/v1/events');
    expect(scene.receiver.received.map(({ event }) => event)).to.have.deep.members(events);
    for (const message of scene.receiver.received) {
      expect(verify(secret, message)).to.deep.equal(message.event);
      expect(message.headers['webhook-id']).to.equal(message.event.id);
      expect(() => verify(secret, { ...message, body: `${message.body} ` })).to.throw();
    }
    expect((await scene.show()).last_delivery).to.be.a('string');
  });

  it('send nothing of before, of other types and of other trees', async () => {
    await scene.write({ id: 1, type: 'order.refunded' });
    const { webhook_id } = await scene.create({ types: ['order.refunded', 'task.*'] });
    const other = await platform.agent();
    await scene.write(
      { id: 2 },
      { id: 3, type: 'order.refunded' },
      { id: 6, type: 'task.posted', agentId: other.id },
      { id: 4, type: 'task.posted' },
      { id: 5, type: 'message.received' },
    );
    await scene.sent();
    expect(scene.objects().toSorted((a, b) => a - b)).to.deep.equal([3, 4]);
    await scene.call(`PATCH /api/v1/webhooks/${webhook_id}`, { types: ['order.*', 'message.*'] });
    await scene.sent();
    expect(scene.objects()).to.have.length(2);
    expect(await platform.query(webhooksProofs[0]!.sql)).to.deep.equal([]);
  });

  it('sign with both secrets while they overlap, and then with the new one', async () => {
    const before = await scene.create();
    const path = `/api/v1/webhooks/${before.webhook_id}`;
    const after = await scene.call(`POST ${path}/rotate`, {});
    await scene.write({ id: 1 });
    await scene.sent();
    for (const { secret } of [before, after]) verify(secret, scene.receiver.received[0]!);
    await platform.query(
      `update webhook set previous_until = now() where previous_until is not null`,
    );
    await scene.write({ id: 2 });
    await scene.sent();
    verify(after.secret, scene.receiver.received[1]!);
    expect(() => verify(before.secret, scene.receiver.received[1]!)).to.throw();
  });

  it('send again one event by its id, and all since a time', async () => {
    const { webhook_id } = await scene.create({ types: ['order.*'] });
    const other = await platform.agent();
    await scene.write({ id: 7, agentId: other.id });
    await scene.write({ id: 1 }, { id: 2 }, { id: 3, type: 'task.posted' });
    await scene.sent();
    const { events } = await scene.call('GET /api/v1/events');
    const [theirs] = (await scene.call('GET /api/v1/events', undefined, other.key)).events;
    const path = `POST /api/v1/webhooks/${webhook_id}/replay`;
    expect(await scene.call(path, { event_id: events[1].id })).to.deep.equal({ events: 1 });
    await eventually(
      async () => scene.objects(),
      (ids) => ids.length === 3,
    );
    expect(scene.objects().at(-1)).to.equal(2);
    const since = events[0].occurred_at;
    expect(await scene.call(path, { since })).to.deep.equal({ events: 2 });
    await eventually(
      async () => scene.objects(),
      (ids) => ids.length === 5,
    );
    expect(await scene.call(path, { event_id: theirs.id })).to.deep.equal({ events: 0 });
    const future = { since: '9999-12-31T23:59:59+23:00' }; // PostgreSQL knows no such offset.
    expect(await scene.call(path, future)).to.deep.equal({ events: 0 });

    await scene.call(`PATCH /api/v1/webhooks/${webhook_id}`, { status: 'disabled' });
    await scene.write({ id: 4 });
    const known = await eventually(
      () => scene.call('GET /api/v1/events'),
      (page) => page.events.length === 4,
    );
    const latest = known.events.at(-1).id;
    expect(await scene.call(path, { event_id: latest })).to.deep.equal({ events: 0 });
  });

  it('are tested with an event that goes to one of them only', async () => {
    const { webhook_id, secret } = await scene.create({ types: ['task.*'] });
    await scene.create();
    const { event_id } = await scene.call(`POST /api/v1/webhooks/${webhook_id}/test`);
    await eventually(
      async () => scene.receiver.received.length,
      (count) => count === 1,
    );
    await scene.sent();
    expect(scene.receiver.received).to.have.length(1);
    const [message] = scene.receiver.received;
    expect(message!.event).to.include({ id: event_id, type: 'webhook.test' });
    verify(secret, message!);
  });

  it('are received by the program of docs/events.md', async () => {
    const program = join(ROOT, 'docs/examples/webhook_receiver.mjs');
    const { secret, webhook_id } = await scene.create();
    const child = spawn(process.execPath, [program, secret, '0']);
    try {
      const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
      const next = async () => (await lines.next()).value;
      const url = `http://127.0.0.1:${await next()}/`;
      await scene.call(`PATCH /api/v1/webhooks/${webhook_id}`, { url });
      await scene.write({ id: 1 });
      await scene.sent();
      expect(await next()).to.match(/^evt_\d+ order\.created escrow$/);
      expect((await scene.show()).failing_since).to.equal(null);
      expect((await fetch(url, { method: 'POST', body: '{}' })).status).to.equal(400);
    } finally {
      child.kill();
      await once(child, 'close');
    }
  });

  it('refuse what is no URL and types that no event has, and an eleventh', async () => {
    const { key } = scene.owner;
    const change = `PATCH /api/v1/webhooks/${(await scene.create()).webhook_id}`;
    const urls = ['ftp://example.com/x', 'https://a:b@example.com/', 'nonsense'];
    for (const wrong of [...urls.map((url) => ({ url })), { types: ['order.*', 'order.paid'] }]) {
      for (const route of ['POST /api/v1/webhooks', change]) {
        const body = { url: scene.receiver.url, ...wrong };
        expect((await platform.request(route, { key, body })).status).to.equal(422);
      }
    }
    const create = () =>
      platform.request('POST /api/v1/webhooks', {
        key: scene.owner.key,
        body: { url: scene.receiver.url },
      });
    for (let n = 0; n < 8; n += 1) expect((await create()).status).to.equal(200);
    const made = await inQueue(
      platform,
      `select from agent where id = ${scene.owner.id} for update`,
      [create, create, create],
    );
    expect(made.map(({ body }) => body.error ?? 'made')).to.deep.equal([
      'made',
      'forbidden',
      'forbidden',
    ]);
  });

  it('list what was sent, the newest event first: what was answered, and what comes next', async () => {
    const { webhook_id } = await scene.create();
    const list = (query = '') =>
      scene.call(`GET /api/v1/webhooks/${webhook_id}/deliveries${query}`);
    expect(await list()).to.deep.equal({
      deliveries: [],
      count: 0,
      next_cursor: null,
      has_more: false,
    });
    scene.receiver.behave((res) => res.writeHead(scene.objects().at(-1) === 1 ? 503 : 204).end());
    await scene.write({ id: 1 }, { id: 2, type: 'task.posted' });
    await scene.sent();
    const { events } = await scene.call('GET /api/v1/events');
    const first = await list('?limit=1');
    expect(first).to.deep.include({ count: 1, has_more: true });
    const second = await list(`?limit=1&cursor=${first.next_cursor}`);
    expect(second).to.deep.include({ count: 1, has_more: false });
    const [arrived, failed] = [first.deliveries[0], second.deliveries[0]];
    expect(arrived).to.deep.include({
      event_id: events[1].id,
      type: 'task.posted',
      status: 'arrived',
      attempts: 1,
      http_status: 204,
      fault: null,
      next_attempt_at: null,
    });
    expect(failed).to.deep.include({
      event_id: events[0].id,
      status: 'waiting',
      attempts: 1,
      http_status: 503,
      fault: 'answered 503',
    });
    const pauseMs = Date.parse(failed.next_attempt_at) - Date.parse(failed.attempted_at);
    expect(pauseMs).to.be.within(5_000, 5_500);
    scene.receiver.behave(answer(204));
    await scene.pass();
    await scene.sent();
    const [, again] = (await list()).deliveries;
    expect(again).to.deep.include({
      status: 'arrived',
      attempts: 2,
      http_status: 204,
      fault: null,
    });
    const other = await platform.agent();
    const path = `GET /api/v1/webhooks/${webhook_id}/deliveries`;
    expect((await platform.request(path, { key: other.key })).status).to.equal(404);
  });

  it('belong to one owner, whose secrets are stored sealed and shown once', async () => {
    const { webhook_id, secret } = await scene.create();
    const [row] = await platform.query('select * from webhook where id = $1', [webhook_id]);
    expect(JSON.stringify(row)).not.to.include(secret.slice('whsec_'.length));
    expect(JSON.stringify(await scene.call('GET /api/v1/webhooks'))).not.to.include('whsec_');
    const rotation = `POST /api/v1/webhooks/${webhook_id}/rotate`;
    const headers = { 'idempotency-key': `rotate-${webhook_id}` };
    const twice = { key: scene.owner.key, body: {}, headers };
    const { body: first } = await platform.request(rotation, twice);
    const { body: repeated } = await platform.request(rotation, twice);
    expect(first.secret).to.match(/^whsec_/);
    expect(repeated).to.deep.equal({ ...first, secret: null });
    const other = await platform.agent();
    for (const route of [
      `DELETE /api/v1/webhooks/${webhook_id}`,
      `POST /api/v1/webhooks/${webhook_id}/rotate`,
    ]) {
      expect((await platform.request(route, { key: other.key })).status).to.equal(404);
    }
    await scene.call(`DELETE /api/v1/webhooks/${webhook_id}`);
    await scene.write({ id: 1 });
    await scene.sent();
    expect(scene.receiver.received).to.deep.equal([]);
  });
});
