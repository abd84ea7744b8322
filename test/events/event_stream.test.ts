import { once } from 'node:events';
import { connect } from 'node:net';

import { expect } from 'chai';

import { transact } from '../../shared/platform/database.ts';
import { childOf } from '../agents/child.ts';
import { launch, MASTER_KEYS, urlOf } from '../api/api_process.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { openEventStream, type EventStream } from './event_stream.ts';
import { happen, pageOf, type Happening } from './scene.ts';

describe('a stream of events', () => {
  let platform: TestPlatform;
  const opened: EventStream[] = [];
  before(async () => {
    platform = await TestPlatform.open({ workers: false, env: { MASTER_KEYS } });
  });
  after(() => platform.close());
  afterEach(() => opened.splice(0).forEach((stream) => stream.close()));

  const write = (...happenings: Happening[]) =>
    transact(platform.context.database, (db) => happen(db, ...happenings));

  async function open(
    options: Parameters<typeof openEventStream>[1] = {},
    base = platform.url,
  ): Promise<EventStream> {
    const stream = await openEventStream(base, options);
    opened.push(stream);
    return stream;
  }

  it('sends what happens from now on, as list_events shows it', async () => {
    const agent = await platform.agent();
    await write({ agentId: agent.id, id: 1 });
    const stream = await open(agent);
    expect(stream.headers.get('content-type')).to.equal('text/event-stream');
    expect(stream.headers.get('vary')).to.include('Accept');
    await write({ agentId: agent.id, id: 2 }, { agentId: agent.id, type: 'task.posted', id: 3 });
    const [second, third] = [await stream.next(), await stream.next()];
    const { events } = await pageOf(platform, agent);
    expect([second!.data, third!.data]).to.deep.equal(events.slice(1));
    expect([second!.id, second!.event]).to.deep.equal([events[1].id, 'order.created']);
    await write({ agentId: agent.id, id: 4 });
    expect((await stream.next())!.data.object.id).to.equal(4);
  });

  it('goes on after the last event that its client has, and by a cursor and a type', async () => {
    const agent = await platform.agent();
    const types = ['order.created', 'task.posted', 'order.created', 'order.refunded'] as const;
    await write(...types.map((type, id) => ({ agentId: agent.id, type, id: id + 1 })));
    const { events } = await pageOf(platform, agent);
    const again = await open({ key: agent.key, lastId: events[0].id, query: '?limit=1' });
    for (const id of [2, 3, 4]) expect((await again.next())!.data.object.id).to.equal(id);

    const { next_cursor: cursor } = await pageOf(platform, agent, { limit: 1 });
    const orders = await open({ key: agent.key, query: `?cursor=${cursor}&type=order.*` });
    for (const id of [3, 4]) expect((await orders.next())!.data.object.id).to.equal(id);
    const all = await open({ key: agent.key, query: '?from=oldest' });
    expect((await all.next())!.data.object.id).to.equal(1);
  });

  it('goes forwards only: from the newest it is refused, as its cursor is', async () => {
    const agent = await platform.agent();
    await write(...[1, 2].map((id) => ({ agentId: agent.id, id })));
    const { next_cursor: cursor } = await pageOf(platform, agent, { from: 'newest', limit: 1 });
    for (const query of ['from=newest', 'from=newest&type=labor.*', `limit=1&cursor=${cursor}`]) {
      const stream = await open({ key: agent.key, query: `?${query}` });
      expect(stream.status, query).to.equal(422);
      expect(await stream.refusal()).to.include({
        message: '/from must not be newest: a stream goes forwards.',
      });
    }
  });

  it('of a child shows nothing of others, and that of its root shows it', async () => {
    const root = await platform.agent();
    const child = await childOf(platform, root);
    const [ofRoot, ofChild] = [await open(root), await open(child)];
    await write({ agentId: root.id, id: 1 }, { agentId: child.id, id: 2 });
    expect((await ofChild.next())!.data.object.id).to.equal(2);
    expect((await ofRoot.next())!.data.object.id).to.equal(1);
    expect((await ofRoot.next())!.data.object.id).to.equal(2);
  });

  it('is refused like the list: without a key, with a wrong input', async () => {
    const { key } = await platform.agent();
    for (const [options, status, error] of [
      [{}, 401, 'authentication_required'],
      [{ key: 'vnx_wrong' }, 401, 'invalid_key'],
      [{ key, query: '?type=*' }, 422, 'validation_error'],
      [{ key, lastId: '7' }, 422, 'validation_error'],
    ] as const) {
      const refused = await open(options);
      expect([refused.status, (await refused.refusal()).error]).to.deep.equal([status, error]);
    }
  });

  it('holds no more than five for an agent, and one that ends makes way for another', async () => {
    const agent = await platform.agent();
    const streams = await Promise.all(Array.from({ length: 7 }, () => open(agent)));
    const isOpen = ({ status }: EventStream) => status === 200;
    expect(streams.filter(isOpen)).to.have.length(5);
    const refused = streams.find(({ status }) => status === 429)!;
    expect(await refused.refusal()).to.deep.include({
      error: 'rate_limited',
      details: { streams_max: 5 },
    });
    const other = await platform.agent();
    expect((await open(other)).status).to.equal(200);
    streams.find(isOpen)!.close();
    await eventually(() => open(agent), isOpen);
  });

  it('ends within seconds after its key was revoked, and sends nothing more', async () => {
    const owner = await platform.agent();
    const key = await platform.keyOf(owner, ['read']);
    // Not of the revocation itself, which may be on its way before the process knows of it.
    const stream = await open({ key, query: '?type=order.*' });
    const waiting = platform.request('GET /api/v1/events?wait=25&from=now&type=order.*', { key });
    const { body } = await platform.request('GET /api/v1/agent/keys', owner);
    const { key_id } = body.keys.find(({ scopes }: { scopes: string[] }) => scopes.length === 1);
    await platform.request(`DELETE /api/v1/agent/keys/${key_id}`, owner);
    await platform.context.keys.look();
    await write({ agentId: owner.id });
    expect(await stream.next()).to.equal(undefined);
    expect((await waiting).status).to.equal(401);
  });

  it('whose client does not read holds back what it has not read, and nobody else', async () => {
    const [slow, quick] = [await platform.agent(), await platform.agent()];
    const { port, hostname } = new URL(platform.url);
    const socket = connect(Number(port), hostname);
    socket.pause();
    socket.write(
      `GET /api/v1/events HTTP/1.1\r\nHost: ${hostname}\r\nAccept: text/event-stream\r\n` +
        `Authorization: Bearer ${slow.key}\r\n\r\n`,
    );
    try {
      const stream = await open(quick);
      for (let n = 0; n < 5; n += 1) {
        await write(...Array.from({ length: 100 }, (_, id) => ({ agentId: slow.id, id })), {
          agentId: quick.id,
          id: n,
        });
        expect((await stream.next())!.data.object.id).to.equal(n);
      }
    } finally {
      socket.destroy();
      await once(socket, 'close');
    }
  });

  it('is refused a hundred times a second at most to who holds as many as it may', async () => {
    const agent = await platform.agent();
    const isOpen = ({ status }: EventStream) => status === 200;
    for (let n = 0; n < 5; n += 1) await eventually(() => open(agent), isOpen);
    const from = performance.now();
    const refused = await Promise.all(Array.from({ length: 300 }, () => open(agent)));
    expect(new Set(refused.map(({ status }) => status))).to.deep.equal(new Set([429]));
    // A hundred at once, and the others each 10 ms later.
    expect(performance.now() - from).to.be.above(1_950);
  });

  it('ends when its process is to end, which waits for no client', async () => {
    const agent = await platform.agent();
    const ending = launch(platform);
    try {
      const base = await urlOf(ending);
      const isOpen = ({ status }: EventStream) => status === 200;
      const stream = await eventually(() => open(agent, base), isOpen); // Redis is there.
      // It may come too late to be accepted.
      const waiting = fetch(`${base}/api/v1/events?wait=25&from=now`, {
        headers: { authorization: `Bearer ${agent.key}` },
      }).catch(() => undefined);
      ending.child.kill('SIGTERM');
      expect(await stream.next()).to.equal(undefined);
      expect((await ending.exit)[0]).to.equal(0);
      await waiting;
    } finally {
      ending.child.kill('SIGKILL');
    }
  });

  it('is refused with service_unavailable when Redis is away; the list is not', async () => {
    const cut = await TestPlatform.open({ workers: false, redisUrl: 'redis://127.0.0.1:1' });
    try {
      const { key } = await cut.agent();
      const refused = await open({ key }, cut.url);
      expect([refused.status, (await refused.refusal()).error]).to.deep.equal([
        503,
        'service_unavailable',
      ]);
      expect((await pageOf(cut, { key })).events).to.deep.equal([]);
    } finally {
      await cut.close();
    }
  });
});
