import { expect } from 'chai';
import type { DataSource } from 'typeorm';

import { openEventFeed, type EventFeed } from '../../shared/domains/events/event_feed.ts';
import { moveEventWatermark } from '../../shared/domains/events/watermark.ts';
import { transact } from '../../shared/platform/database.ts';
import { childOf } from '../agents/child.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { happen, objectsOf, openTransaction, pageOf, type Happening } from './scene.ts';

describe('a caller that waits for events', () => {
  let platform: TestPlatform;
  const opened: EventFeed[] = [];
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  after(async () => {
    for (const feed of opened) feed.close();
    await platform.close();
  });

  const write = (...happenings: Happening[]) =>
    transact(platform.context.database, (db) => happen(db, ...happenings));

  /** A feed of its own. `ask` stands before its questions to the database. */
  function openFeed({
    ask = async () => undefined,
    ...settings
  }: { ask?: (sql: string) => Promise<unknown>; waitersMax?: number; rowsMax?: number } = {}) {
    const { database, log } = platform.context;
    const query: DataSource['query'] = async (sql, parameters) => {
      await ask(sql);
      return database.query(sql, parameters);
    };
    const feed = openEventFeed({ query }, log, settings);
    opened.push(feed);
    return feed;
  }
  const settled = async () => (await moveEventWatermark(platform.context.database)).settled;
  const readerOf = ({ id }: { id: number }, type?: string) => ({ agentId: id, rootId: id, type });
  /** The answer that a waiting caller has by now. */
  const now = (answer: Promise<void>) =>
    Promise.race([
      answer.then(() => 'ended'),
      new Promise((resolve) => setImmediate(() => resolve('waits'))),
    ]);
  const LONG = { waitMs: 60_000 };

  it('is answered when something happens to it, and not when to others', async () => {
    const [agent, other] = [await platform.agent(), await platform.agent()];
    const { next_cursor: cursor } = await pageOf(platform, agent, { from: 'now' });
    const page = pageOf(platform, agent, { cursor, wait: 25, type: 'task.*' });
    const ofOther = pageOf(platform, other, { cursor, wait: 25 });
    await write({ agentId: agent.id, id: 1 }, { agentId: other.id, type: 'task.posted', id: 2 });
    expect(objectsOf(await ofOther)).to.deep.equal([2]); // So the look has passed both.
    await write({ agentId: agent.id, type: 'task.posted', id: 3 });
    expect(objectsOf(await page)).to.deep.equal([3]);
  });

  it('is not answered by an event of another type', async () => {
    const [agent, other] = [await platform.agent(), await platform.agent()];
    const feed = openFeed();
    const after = await settled();
    const waits = feed.waitFor({ reader: readerOf(agent, 'task.*'), after }, LONG);
    await write({ agentId: agent.id }, { agentId: other.id });
    await feed.waitFor({ reader: readerOf(other), after }, LONG);
    expect(await now(waits)).to.equal('waits');
    await write({ agentId: agent.id, type: 'task.posted' });
    await waits;
  });

  it('is answered by an event of its object, and not by one of another', async () => {
    const [agent, other] = [await platform.agent(), await platform.agent()];
    const feed = openFeed();
    const after = await settled();
    const reader = { ...readerOf(agent), object: { kind: 'order', id: 7 } };
    const waits = feed.waitFor({ reader, after }, LONG);
    await write(
      { agentId: agent.id, id: 8 },
      { agentId: agent.id, id: 7, type: 'task.posted' },
      { agentId: other.id },
    );
    await feed.waitFor({ reader: readerOf(other), after }, LONG);
    expect(await now(waits)).to.equal('waits');
    await write({ agentId: agent.id, id: 7 });
    await waits;
  });

  it('is answered an empty page when the time is up, from which it can go on', async () => {
    const agent = await platform.agent();
    const empty = await pageOf(platform, agent, { wait: 1 });
    expect([empty.events, empty.has_more]).to.deep.equal([[], false]);
    await write({ agentId: agent.id, id: 1 });
    const { next_cursor: cursor } = empty;
    expect(objectsOf(await pageOf(platform, agent, { cursor, wait: 25 }))).to.deep.equal([1]);
  });

  it('of a root is answered when something happens to a child, and not the reverse', async () => {
    const root = await platform.agent();
    const child = await childOf(platform, root);
    const feed = openFeed();
    const after = await settled();
    const ofChild = { agentId: child.id, rootId: root.id };
    const childWaits = feed.waitFor({ reader: ofChild, after }, LONG);
    await write({ agentId: root.id });
    await feed.waitFor({ reader: readerOf(root), after }, LONG);
    expect(await now(childWaits)).to.equal('waits');
    const between = await settled();
    await write({ agentId: child.id });
    await feed.waitFor({ reader: readerOf(root), after: between }, LONG);
    await childWaits;
  });

  it('hears of an event once no event before it can come', async () => {
    const agent = await platform.agent();
    const feed = openFeed();
    const late = await openTransaction(platform);
    const after = await settled();
    await happen(late.db, { agentId: agent.id, id: 1 });
    await write({ agentId: agent.id, id: 2 });
    const first = await pageOf(platform, agent, { wait: 1 });
    expect(first.events).to.deep.equal([]);
    const heard = feed.waitFor({ reader: readerOf(agent), after }, LONG);
    await late.commit();
    await heard;
    expect(objectsOf(await pageOf(platform, agent))).to.deep.equal([1, 2]);
  });

  it('that comes while others are looked for misses nothing before that look', async () => {
    const [early, agent, other] = [
      await platform.agent(),
      await platform.agent(),
      await platform.agent(),
    ];
    let release!: () => void;
    let held: Promise<void> | undefined;
    let isHeld = false;
    const feed = openFeed({
      async ask(sql) {
        if (!held || sql.includes('watermark')) return;
        isHeld = true;
        await held;
      },
    });
    const after = await settled();
    const waits = feed.waitFor({ reader: readerOf(early), after }, LONG);
    await write({ agentId: agent.id }, { agentId: other.id });
    // Another that waits is answered, so the early one has seen these events now.
    await feed.waitFor({ reader: readerOf(other), after }, LONG);

    held = new Promise((resolve) => (release = resolve));
    await write({ agentId: other.id });
    await eventually(
      async () => isHeld,
      (is) => is,
    );
    const late = feed.waitFor({ reader: readerOf(agent), after }, LONG);
    held = undefined;
    release();
    await late;
    expect(await now(waits)).to.equal('waits');
  });

  it('finds its event behind more than one look reads', async () => {
    const [agent, other] = [await platform.agent(), await platform.agent()];
    const feed = openFeed({ rowsMax: 2 });
    const after = await settled();
    const others = Array.from({ length: 3 }, () => ({ agentId: other.id }));
    await write(...others, { agentId: agent.id });
    await feed.waitFor({ reader: readerOf(agent), after }, LONG);
  });

  it('goes on waiting when a look fails', async () => {
    const agent = await platform.agent();
    let failures = 0;
    const feed = openFeed({
      async ask() {
        failures += 1;
        if (failures <= 2) throw new Error('the database is away');
      },
    });
    const after = await settled();
    await write({ agentId: agent.id });
    await feed.waitFor({ reader: readerOf(agent), after }, LONG);
    expect(failures).to.be.greaterThan(2);
  });

  it('ends when its client disconnects and when the process stops, and then nobody asks', async () => {
    const agent = await platform.agent();
    let asked = 0;
    const feed = openFeed({ ask: async () => (asked += 1) });
    const after = await settled();
    const reader = readerOf(agent);
    const disconnect = new AbortController();
    const left = feed.waitFor({ reader, after }, { ...LONG, disconnect: disconnect.signal });
    const ended = feed.waitFor({ reader, after }, { waitMs: 1 });
    disconnect.abort();
    await Promise.all([left, ended]);
    const askedBefore = asked;
    // Another feed has looked twice: this one would have, too.
    const clock = openFeed();
    for (const id of [1, 2]) {
      const from = await settled();
      const heard = clock.waitFor({ reader, after: from }, LONG);
      await write({ agentId: agent.id, id });
      await heard;
    }
    expect(asked).to.equal(askedBefore);

    const waits = feed.waitFor({ reader, after: await settled() }, LONG);
    feed.close();
    await waits;
    await feed.waitFor({ reader, after }, LONG);
  });

  it('has a share: one tree cannot take all that there are, and gives back what it had', async () => {
    const feed = openFeed({ waitersMax: 4 });
    const reader = { agentId: 1, rootId: 1 };
    const after = await settled();
    const wait = (holder: number, disconnect?: AbortSignal) =>
      feed.waitFor({ reader, after }, { ...LONG, holder, disconnect });
    const leaving = new AbortController();
    const ofOne = [wait(1, leaving.signal), wait(1, leaving.signal)];
    await wait(1);
    expect(await now(wait(2))).to.equal('waits');
    leaving.abort();
    await Promise.all(ofOne);
    expect(await now(wait(1))).to.equal('waits');
  });
});
