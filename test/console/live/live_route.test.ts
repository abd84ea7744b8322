import { expect } from 'chai';

import type { EventType } from '../../../shared/domains/events/event_types.ts';
import { emit } from '../../../shared/domains/events/events.ts';
import { transact } from '../../../shared/platform/database.ts';
import { blocksOf } from '../../api/sse_blocks.ts';
import { TestPlatform } from '../../harness.ts';
import { BrowserLike, newKey, operator, owner } from '../browser_like.ts';

describe('GET /console/live', function () {
  this.timeout(60_000);
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  after(() => platform.close());

  const open = (browser: BrowserLike, query = '') => {
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return fetch(`${platform.url}/console/live${query}`, { headers: { cookie } });
  };

  it('names the kinds of what happens to an owner and to its agents, and nothing of others', async () => {
    const { browser, agent } = await owner(platform);
    const other = await platform.agent();
    const blocks = blocksOf((await open(browser)).body!);
    expect((await blocks.next()).value).to.match(/^retry:/);
    const spawn = ({ key }: { key: string }, name: string) =>
      platform.request('POST /api/v1/agent/spawn', { key, body: { agent_name: name } });
    await spawn(other, 'of-another');
    await spawn(agent, 'mine');
    for await (const block of blocks) {
      if (!block.startsWith('event: changed')) continue;
      expect(block).to.match(/^event: changed\nid: [0-9a-f]{12}-\d+\ndata: agent$/);
      break;
    }
  });

  it('leaves out kinds that the page does not show', async () => {
    const { browser, agent } = await owner(platform);
    const blocks = blocksOf((await open(browser, '?kinds=order,wallet')).body!);
    await blocks.next();
    const { database } = platform.context;
    const emitted = (type: EventType) => {
      const object = { kind: 'agent' as const, id: agent.id, status: 'active' };
      const one = { agentId: agent.id, type, object, data: {} };
      return transact(database, (db) => emit(db, [one]));
    };
    await emitted('agent.spawned');
    await emitted('wallet.tier_raised');
    for await (const block of blocks) {
      if (!block.startsWith('event: changed')) continue;
      expect(block).to.match(/\ndata: wallet$/);
      break;
    }
  });

  it('is for nobody who has not signed in, and no key opens it', async () => {
    const agent = await platform.agent();
    const headers = { authorization: `Bearer ${agent.key}` };
    expect((await fetch(`${platform.url}/console/live`, { headers })).status).to.equal(401);
  });

  it('ends after its session', async () => {
    const { browser, agent } = await owner(platform);
    const stream = await open(browser);
    const blocks = blocksOf(stream.body!);
    await blocks.next();
    await platform.query('delete from web_session where agent_id = $1', [agent.id]);
    for (;;) if ((await blocks.next()).done) break;
    expect((await open(browser)).status).to.equal(401);
  });
});

describe('GET /admin/live', function () {
  this.timeout(60_000);
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  after(() => platform.close());

  const open = async ({ cookies }: BrowserLike) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return fetch(`${platform.url}/admin/live`, { headers: { cookie } });
  };
  const spawn = ({ key }: { key: string }, name: string) =>
    platform.request('POST /api/v1/agent/spawn', { key, body: { agent_name: name } });
  const kindsOf = (block: string) =>
    /^event: changed\nid: [0-9a-f]{12}-\d+\ndata: (.*)$/.exec(block)?.[1]?.split(' ');

  it('names the kinds of what happens to anybody, what operators did, and the time', async () => {
    const who = await operator(platform);
    const agent = await platform.agent();
    const blocks = blocksOf((await open(who)).body!);
    expect((await blocks.next()).value).to.match(/^retry:/);
    const seen = new Set<string>();
    let isDone = false;
    for await (const block of blocks) {
      for (const kind of kindsOf(block) ?? []) seen.add(kind);
      // The first look finds where the events of now end, so the first block is of the clock.
      if (seen.has('clock') && !isDone) {
        isDone = true;
        await spawn(agent, 'one');
        const reply = await who.post('/admin/do/give_goodwill', {
          agent_id: String(agent.id),
          amount: '1',
          reference: 'live',
          note: 'A test.',
          _key: newKey(),
          _back: '/admin',
        });
        expect(reply.status).to.be.oneOf([200, 303]);
      }
      if (seen.has('agent') && seen.has('audit')) break;
    }
    expect([...seen]).to.include.members(['agent', 'audit', 'clock']);
  });

  it('says so at most once a second, however much happens', async () => {
    const who = await operator(platform);
    const agent = await platform.agent();
    const blocks = blocksOf((await open(who)).body!);
    await blocks.next();
    const end = new AbortController();
    const data = { agent_id: agent.id };
    const object = { kind: 'agent' as const, id: agent.id, status: 'active' };
    const one = { agentId: agent.id, type: 'agent.spawned' as const, object, data };
    const busy = (async () => {
      const { database } = platform.context;
      while (!end.signal.aborted) await transact(database, (db) => emit(db, [one]));
    })();
    const at: number[] = [];
    for await (const block of blocks) {
      if (kindsOf(block)?.includes('agent')) at.push(performance.now());
      if (at.length === 3) break;
    }
    end.abort();
    await busy;
    // A late write may be read close to the next: two spans cannot both be short.
    expect(at[2]! - at[0]!).to.be.greaterThan(1_000);
  });

  it('is for no owner, no key and nobody, and ends with its session', async () => {
    const { browser, agent } = await owner(platform);
    expect((await open(browser)).status).to.equal(401);
    const headers = { authorization: `Bearer ${agent.key}` };
    expect((await fetch(`${platform.url}/admin/live`, { headers })).status).to.equal(401);
    const who = await operator(platform);
    const blocks = blocksOf((await open(who)).body!);
    await blocks.next();
    await platform.query('delete from web_session where operator is not null');
    for (;;) if ((await blocks.next()).done) break;
    expect((await open(who)).status).to.equal(401);
  });
});
