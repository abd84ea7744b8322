import { expect } from 'chai';

import type { HttpContext } from '../../../api/http/routes.ts';
import { openChanges } from '../../../api/console/live/changes.ts';
import { openRedraws } from '../../../api/console/live/redraws.ts';
import { home } from '../../../api/console/owner/home.tsx';
import type { WebSession } from '../../../shared/domains/agents/sessions/sessions.ts';
import { emit } from '../../../shared/domains/events/events.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import { transact } from '../../../shared/platform/database.ts';
import { eventually, TestPlatform } from '../../harness.ts';
import { cookieOf, openTabs } from './tabs.ts';

const TABS = 20;
const BURST = 200;

describe('pages that draw themselves again', function () {
  this.timeout(60_000);
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  after(() => platform.close());

  const happen = (agent: { id: number }, count = 1) => {
    const object = { kind: 'agent' as const, id: agent.id, status: 'active' };
    const one = { agentId: agent.id, type: 'wallet.tier_raised', object, data: {} };
    return transact(platform.context.database, (db) => emit(db, Array(count).fill(one)));
  };

  const tabOf = async (agent: { id: number }) => ({
    cookie: await cookieOf(platform, agent),
    path: '/console',
    kinds: home.live,
  });

  /** How often the home page of these agents has been read so far. */
  function countReads() {
    const inbox = platform.context.operations.get('inbox')!;
    const reads: number[] = [];
    const counted = {
      ...inbox,
      handle: (tx: { caller: { agentId: number } }, ...rest: unknown[]) => {
        reads.push(tx.caller.agentId);
        return (inbox.handle as (...all: unknown[]) => unknown)(tx, ...rest);
      },
    };
    (platform.context.operations as Map<string, unknown>).set('inbox', counted);
    return {
      of: ({ id }: { id: number }) => reads.filter((agentId) => agentId === id).length,
      stop: () => (platform.context.operations as Map<string, unknown>).set('inbox', inbox),
    };
  }

  it('cost one read for all pages of a session, whatever a burst has', async () => {
    const [agent, quiet] = await Promise.all([platform.agent(), platform.agent()]);
    const [tab, other] = await Promise.all([tabOf(agent), tabOf(quiet)]);
    const reads = countReads();
    try {
      const tabs = await openTabs(platform, [...Array.from({ length: TABS }, () => tab), other]);
      await happen(agent, BURST);
      await eventually(
        async () => tabs.count.redraws,
        (redraws) => redraws >= TABS,
      );
      // A commit is found by one look, or by two if it was not settled at the first.
      expect(reads.of(agent)).to.be.within(1, 2);
      expect(reads.of(quiet)).to.equal(0);
      await happen(agent);
      await eventually(
        async () => tabs.count.redraws,
        (redraws) => redraws >= 2 * TABS,
      );
      expect(reads.of(agent)).to.be.within(2, 4);
      await tabs.close();
    } finally {
      reads.stop();
    }
  });

  it('show what they were told of, also where another page of the session was read before', async () => {
    const agent = await platform.agent();
    const tab = await tabOf(agent);
    const shown: string[] = [];
    const tabs = await openTabs(platform, [tab, tab], (text) => shown.push(text));
    for (const usd of [3, 4, 5]) {
      const before = shown.length;
      await platform.fund(agent.id, usd);
      await happen(agent);
      const { body } = await platform.request('GET /api/v1/wallet', { key: agent.key });
      const spendable = `$${body.balance.toFixed(2)}`;
      await eventually(
        async () => shown.slice(before),
        (texts) => texts.length >= 2 && texts.slice(-2).every((text) => text.includes(spendable)),
      );
    }
    await tabs.close();
  });

  it('are no less refused, and share nothing with another session', async () => {
    const [agent, other] = await Promise.all([platform.agent({ usd: 77.77 }), platform.agent()]);
    const { body } = await platform.request('GET /api/v1/wallet', { key: agent.key });
    const [mine, yours] = await Promise.all([tabOf(agent), tabOf(other)]);
    const shown: string[] = [];
    const all = [mine, mine, yours, yours];
    const tabs = await openTabs(platform, all, (text) => shown.push(text));
    await happen(agent);
    await eventually(
      async () => shown,
      ({ length }) => length >= 2,
    );
    const spendable = `$${body.balance.toFixed(2)}`;
    expect(shown[0]).to.include(spendable);
    const redraw = (cookie: string) =>
      fetch(`${platform.url}/console`, {
        headers: { cookie, accept: 'text/html', 'x-redraw': tabs.count.mark },
        redirect: 'manual',
      });
    const theirs = await redraw(yours.cookie);
    const text = await theirs.text();
    expect(text).to.include(other.username);
    expect(text).to.not.include(agent.username).and.not.include(spendable);
    expect((await redraw('session=none')).status).to.equal(303);
    await platform.query('delete from web_session where agent_id = $1', [agent.id]);
    expect((await redraw(mine.cookie)).status).to.equal(303);
    await tabs.close();
  });

  it('of one owner come one at a time, and one that a thousand stand before is refused', async () => {
    const redraws = openRedraws(openChanges(platform.context));
    const ctx = { get: () => 'a-look', res: { destroyed: false } } as unknown as HttpContext;
    const session = { id: 1, caller: { rootId: 1 } } as unknown as WebSession;
    let [running, most] = [0, 0];
    let open!: () => void;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const draw = () =>
      redraws.run(ctx, { session, url: '/console' }, async () => {
        running += 1;
        most = Math.max(most, running);
        await gate;
        running -= 1;
      });
    // One has begun, a thousand wait.
    const drawn = Array.from({ length: 1_001 }, draw);
    const refused: unknown = await draw().catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(Refusal).and.include({ code: 'service_unavailable' });
    open();
    await Promise.all(drawn);
    expect(most).to.equal(1);
  });
});
