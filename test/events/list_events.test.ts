import { expect } from 'chai';

import { transact } from '../../shared/platform/database.ts';
import { findEvents } from '../../shared/domains/events/find_events.ts';
import { childOf } from '../agents/child.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { buy, meet } from '../orders/trade.ts';
import { happen, objectsOf, openTransaction, pageOf, type Happening } from './scene.ts';
import { patience } from '../platform/pace.ts';

describe('list_events', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  const write = (...happenings: Happening[]) =>
    transact(platform.context.database, (db) => happen(db, ...happenings));

  it('shows buyer and seller what happened, each its own, oldest first', async () => {
    const { seller, buyer, product } = await meet(platform);
    const orderId = await buy(platform, buyer, product);
    await platform.request(`POST /api/v1/orders/${orderId}/refund`, { key: seller.key });

    const [bought, refunded] = (await pageOf(platform, buyer)).events;
    expect(bought).to.deep.include({
      id: `evt_${bought.sequence}`,
      type: 'order.created',
      agent_id: buyer.id,
      object: { kind: 'order', id: orderId, status: 'escrow' },
      data: { order_id: orderId, product_id: product.id, quantity: 1 },
    });
    expect(Date.parse(bought.occurred_at)).to.be.closeTo(Date.now(), patience(60_000));
    expect(refunded).to.deep.include({
      type: 'order.refunded',
      object: { kind: 'order', id: orderId, status: 'refunded' },
      data: { order_id: orderId, refunded: 1.1 },
    });
    expect(refunded.sequence).to.be.greaterThan(bought.sequence);

    const sold = (await pageOf(platform, seller)).events;
    expect(sold.map(({ agent_id }: { agent_id: number }) => agent_id)).to.deep.equal([
      seller.id,
      seller.id,
    ]);
    const outsider = await platform.agent();
    expect((await pageOf(platform, outsider)).events).to.deep.equal([]);
  });

  it('shows a root what happened to its tree, and a child only its own', async () => {
    const root = await platform.agent();
    const child = await childOf(platform, root);
    const grandchild = await childOf(platform, child);
    await write(
      { agentId: grandchild.id, id: 1 },
      { agentId: root.id, id: 2 },
      { agentId: child.id, id: 3 },
    );
    expect(objectsOf(await pageOf(platform, root))).to.deep.equal([1, 2, 3]);
    expect(objectsOf(await pageOf(platform, child))).to.deep.equal([3]);
    expect(objectsOf(await pageOf(platform, grandchild))).to.deep.equal([1]);
  });

  it('gives every event once by its cursor, and goes on with those that come', async () => {
    const agent = await platform.agent();
    await write(...[1, 2, 3].map((id) => ({ agentId: agent.id, id })));
    const first = await pageOf(platform, agent, { limit: 2 });
    expect([objectsOf(first), first.count, first.has_more]).to.deep.equal([[1, 2], 2, true]);
    const second = await pageOf(platform, agent, { limit: 2, cursor: first.next_cursor });
    expect([objectsOf(second), second.has_more]).to.deep.equal([[3], false]);
    const none = await pageOf(platform, agent, { cursor: second.next_cursor });
    expect([objectsOf(none), none.has_more]).to.deep.equal([[], false]);
    await write({ agentId: agent.id, id: 4 });
    const later = await pageOf(platform, agent, { cursor: none.next_cursor });
    expect(objectsOf(later)).to.deep.equal([4]);
  });

  it('begins now if it is asked to', async () => {
    const agent = await platform.agent();
    await write({ agentId: agent.id, id: 1 });
    const { events, next_cursor: cursor } = await pageOf(platform, agent, { from: 'now' });
    expect(events).to.deep.equal([]);
    await write({ agentId: agent.id, id: 2 });
    expect(objectsOf(await pageOf(platform, agent, { cursor }))).to.deep.equal([2]);
  });

  it('filters by type and by kind, and refuses what is neither', async () => {
    const root = await platform.agent();
    const child = await childOf(platform, root);
    const types = ['order.created', 'order.refunded', 'product.approved', 'task.posted'] as const;
    await write(
      ...types.flatMap((type, id) => [
        { agentId: root.id, type, id },
        { agentId: child.id, type, id },
      ]),
    );
    const of = async (agent: { key: string }, type: string) =>
      objectsOf(await pageOf(platform, agent, { type }));
    expect(await of(root, 'order.created')).to.deep.equal([0, 0]);
    expect(await of(child, 'order.created')).to.deep.equal([0]);
    expect(await of(child, 'order.*')).to.deep.equal([0, 1]);
    expect(await of(child, 'task.*')).to.deep.equal([3]);
    for (const type of ['*', 'order', 'order.%', 'Order.created', 'order.*.*', 'order.paid']) {
      const query = new URLSearchParams({ type });
      const refused = await platform.request(`GET /api/v1/events?${query.toString()}`, {
        key: root.key,
      });
      expect([refused.status, refused.body.error], type).to.deep.equal([422, 'validation_error']);
    }
    const near = { key: root.key };
    const { body } = await platform.request('GET /api/v1/events?type=order.complete', near);
    const hint = 'order.complete is none: did you mean order.completed?';
    expect(body.message).to.equal(`/type must be a type of event, and ${hint}`);
  });

  it('tells the story of one object, to those whom it concerns, and waits for what comes', async () => {
    const root = await platform.agent();
    const child = await childOf(platform, root);
    const other = await platform.agent();
    const of = (agent: { key: string }, query: Record<string, string | number> = {}) =>
      pageOf(platform, agent, { object_kind: 'order', object_id: 7, ...query });
    await write(
      { agentId: child.id, id: 7 },
      { agentId: child.id, id: 8 },
      { agentId: child.id, id: 7, type: 'task.posted' },
      { agentId: child.id, id: 7, type: 'order.refunded' },
      { agentId: root.id, id: 7, type: 'order.completed' },
    );
    const typesOf = (page: { events: { type: string }[] }) => page.events.map(({ type }) => type);
    const told = ['order.created', 'order.refunded', 'order.completed'];
    const page = await of(root);
    expect(typesOf(page)).to.deep.equal(told);
    expect(typesOf(await of(child))).to.deep.equal(told.slice(0, 2));
    expect(typesOf(await of(other))).to.deep.equal([]);
    expect(typesOf(await of(root, { type: 'order.refunded' }))).to.deep.equal([told[1]]);
    const waiting = of(root, { cursor: page.next_cursor, wait: 20 });
    await write({ agentId: child.id, id: 8 }, { agentId: child.id, id: 7, type: 'order.disputed' });
    expect(typesOf(await waiting)).to.deep.equal(['order.disputed']);
    const never = ['object_kind=ordr&object_id=7', 'object_kind=job&object_id=7'];
    for (const half of ['object_kind=order', 'object_id=7', ...never]) {
      const refused = await platform.request(`GET /api/v1/events?${half}`, { key: root.key });
      expect([refused.status, refused.body.error], half).to.deep.equal([422, 'validation_error']);
    }
    const { body } = await platform.request(`GET /api/v1/events?${never[0]}`, { key: root.key });
    const hint = 'ordr is none: did you mean order?';
    expect(body.message).to.equal(`/object_kind must be a kind of object, and ${hint}`);
  });

  it('looks at few rows for one page, and finds a rare type by going on', async () => {
    const agent = await platform.agent();
    const rare = { agentId: agent.id, type: 'task.posted' as const, id: 99 };
    await write(...Array.from({ length: 10 }, (_, id) => ({ agentId: agent.id, id })), rare);
    await pageOf(platform, agent);
    const reader = { agentId: agent.id, rootId: agent.id, type: 'task.*' };
    const found = await transact(platform.context.database, async (db) => {
      const pages = [];
      let after = 0n;
      for (let more = true; more;) {
        const page = await findEvents(db, reader, { after, limit: 5, scannedMax: 4 });
        pages.push(page.events.map(({ object_id: id }) => id));
        ({ until: after, more } = page);
      }
      return pages;
    });
    expect(found).to.deep.equal([[], [], [99]]);
  });

  it('never skips an event that is committed late', async () => {
    const agent = await platform.agent();
    const agentId = agent.id;
    // The first has its number, the second draws its id first, and the third commits first.
    const [first, second] = [await openTransaction(platform), await openTransaction(platform)];
    await first.db.query('select pg_current_xact_id()');
    await happen(second.db, { agentId, id: 1 });
    await happen(first.db, { agentId, id: 2 });
    await write({ agentId, id: 3 });

    const before = await pageOf(platform, agent);
    await first.commit();
    const between = await pageOf(platform, agent, { cursor: before.next_cursor });
    await second.commit();
    const after = await pageOf(platform, agent, { cursor: between.next_cursor });
    expect([before, between, after].flatMap(objectsOf)).to.deep.equal([1, 2, 3]);
    expect([objectsOf(before), objectsOf(between)]).to.deep.equal([[], []]);
  });

  it('moves the watermark in no transaction that has written before', async () => {
    const open = await openTransaction(platform);
    await happen(open.db, { agentId: (await platform.agent()).id });
    const moved = await open.db
      .query('select move_event_watermark()')
      .catch((error: unknown) => error);
    await open.commit();
    expect(String(moved)).to.include('has written nothing before');
  });

  it('skips none while many transactions commit in any order', async () => {
    const agent = await platform.agent();
    const TRANSACTIONS = 60;
    let open = TRANSACTIONS;
    const writing = Promise.all(
      Array.from({ length: TRANSACTIONS }, async (_, id) => {
        await transact(platform.context.database, async (db) => {
          await happen(db, { agentId: agent.id, id: id * 2 });
          await db.query(`select pg_sleep(${Math.random() / 50})`);
          await happen(db, { agentId: agent.id, id: id * 2 + 1 });
        });
        open -= 1;
      }),
    );
    const seen: number[] = [];
    const first = await pageOf(platform, agent, { limit: 100 });
    seen.push(...objectsOf(first));
    let cursor = first.next_cursor;
    await eventually(
      async () => {
        const wasOpen = open;
        const page = await pageOf(platform, agent, { limit: 100, cursor });
        seen.push(...objectsOf(page));
        cursor = page.next_cursor;
        return wasOpen === 0 && !page.has_more;
      },
      (isDone) => isDone,
    );
    await writing;
    expect(seen.toSorted((a, b) => a - b)).to.deep.equal(
      Array.from({ length: 2 * TRANSACTIONS }, (_, id) => id),
    );
  });

  it('forgets nothing by a transaction that is rolled back, nor waits for it', async () => {
    const agent = await platform.agent();
    const rolledBack = transact(platform.context.database, async (db) => {
      await happen(db, { agentId: agent.id, id: 1 });
      throw new Error('no');
    });
    await rolledBack.catch(() => undefined);
    await write({ agentId: agent.id, id: 2 });
    expect(objectsOf(await pageOf(platform, agent))).to.deep.equal([2]);
  });
});
