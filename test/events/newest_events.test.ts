import { expect } from 'chai';

import { transact } from '../../shared/platform/database.ts';
import { findEventsBefore } from '../../shared/domains/events/find_events.ts';
import { TestPlatform } from '../harness.ts';
import { happen, objectsOf, openTransaction, pageOf, type Happening } from './scene.ts';

describe('events from the newest on', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  after(() => platform.close());

  const write = (...happenings: Happening[]) =>
    transact(platform.context.database, (db) => happen(db, ...happenings));

  it('come newest first, each once, until there are no more', async () => {
    const agent = await platform.agent();
    await write(...[1, 2, 3].map((id) => ({ agentId: agent.id, id })));
    const first = await pageOf(platform, agent, { from: 'newest', limit: 2 });
    expect([objectsOf(first), first.count, first.has_more]).to.deep.equal([[3, 2], 2, true]);
    await write({ agentId: agent.id, id: 4 });
    const second = await pageOf(platform, agent, { limit: 2, cursor: first.next_cursor });
    const { has_more: more, next_cursor: cursor } = second;
    expect([objectsOf(second), more, cursor]).to.deep.equal([[1], false, null]);
    const whole = await pageOf(platform, agent, { from: 'newest' });
    expect(objectsOf(whole)).to.deep.equal([4, 3, 2, 1]);
    const none = await pageOf(platform, await platform.agent(), { from: 'newest', wait: 20 });
    expect([none.count, none.next_cursor]).to.deep.equal([0, null]);
  });

  it('are looked for among few rows for one page, and a rare type is found by going on', async () => {
    const agent = await platform.agent();
    const rare = { agentId: agent.id, type: 'task.posted' as const, id: 99 };
    const usual = (length: number) =>
      Array.from({ length }, (_, id) => ({ agentId: agent.id, id }));
    await write(...usual(10), rare, ...usual(9));
    await pageOf(platform, agent);
    const reader = { agentId: agent.id, rootId: agent.id, type: 'task.*' };
    const back = await transact(platform.context.database, async (db) => {
      const pages = [];
      let until: bigint | undefined;
      do {
        const page = await findEventsBefore(db, reader, {
          before: until,
          limit: 5,
          scannedMax: 4,
        });
        pages.push(page.events.map(({ object_id: id }) => id));
        ({ until } = page);
      } while (until !== undefined);
      return pages;
    });
    expect(back).to.deep.equal([[], [], [99], [], [], []]);
  });

  it('leave out what may still be overtaken by one that is committed late', async () => {
    const agent = await platform.agent();
    const open = await openTransaction(platform);
    await open.db.query('select pg_current_xact_id()');
    await write({ agentId: agent.id, id: 2 });
    const before = await pageOf(platform, agent, { from: 'newest' });
    await happen(open.db, { agentId: agent.id, id: 1 });
    await open.commit();
    const after = await pageOf(platform, agent, { from: 'newest' });
    expect([before, after].map(objectsOf)).to.deep.equal([[], [1, 2]]);
  });

  it('refuses a place beyond the newest event at once, whoever waits there', async () => {
    const agent = await platform.agent();
    const { next_cursor: newest } = await pageOf(platform, agent, { from: 'now' });
    expect((await pageOf(platform, agent, { cursor: newest })).count).to.equal(0);
    const beyond = `${Buffer.from('999999999').toString('base64url')}=list_events`;
    for (const [query, headers] of [
      [`cursor=${beyond}&wait=25`, {}],
      [`cursor=${beyond}`, {}],
      ['', { accept: 'text/event-stream', 'last-event-id': 'evt_999999999' }],
    ] as const) {
      const { status, body } = await platform.request(`GET /api/v1/events?${query}`, {
        key: agent.key,
        headers,
      });
      expect([status, body.error], query).to.deep.equal([422, 'validation_error']);
      expect(body.details.fields[0]).to.deep.equal({
        pointer: '/cursor',
        message: 'is beyond the newest event: list without it, or with from=now',
      });
    }
  });
});
