import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { runTimer } from '../orders/trade.ts';
import { setPolicy } from '../policy.ts';
import { done } from '../tasks/board.ts';
import { inboxOf } from './waiting.ts';

describe('the inbox', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  it('shows an agent near its daily limit to its root, until the limit is raised', async () => {
    const root = await platform.agent({ usd: 9 });
    const child = await childOf(platform, root);
    const below = await childOf(platform, child);
    await setPolicy(platform, child, { daily_spend_limit: 1_000_000 });
    const post = async (budget: number) =>
      done(
        await platform.request('POST /api/v1/tasks', {
          key: below.key,
          body: { title: 'Name a sea', budget },
        }),
      );
    const seen = async (agent: { key: string }) =>
      (await inboxOf(platform, agent)).inbox.map(({ kind, id, amount }) => [kind, id, amount]);
    const alerts = async () =>
      (await platform.request('GET /api/v1/events?type=agent.limit_near', { key: root.key })).body
        .events;
    await post(0.79);
    await runTimer(platform, 'watch_spending');
    expect([await seen(root), await alerts()]).to.deep.equal([[], []]);
    await post(0.01);
    for (let n = 0; n < 2; n += 1) await runTimer(platform, 'watch_spending');
    expect(await seen(root)).to.deep.equal([['limit_to_raise', child.id, 0.8]]);
    const [alert, ...others] = await alerts();
    expect(alert).to.deep.include({
      agent_id: root.id,
      data: { agent_id: child.id, amount: 0.8, limit: 1 },
    });
    expect(others).to.deep.equal([]);
    for (const other of [child, below, await platform.agent()]) {
      expect(await seen(other)).to.deep.equal([]);
    }
    await setPolicy(platform, child, { daily_spend_limit: 2_000_000 });
    expect(await seen(root)).to.deep.equal([]);

    // Another day is told of anew.
    await setPolicy(platform, child, { daily_spend_limit: 1_000_000 });
    await platform.query('update spend_alert set day = day - 1 where agent_id = $1', [child.id]);
    expect(await seen(root)).to.deep.equal([]);
    await runTimer(platform, 'watch_spending');
    expect(await alerts()).to.have.length(2);
  });
});
