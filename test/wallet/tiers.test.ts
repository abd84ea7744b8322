import { expect } from 'chai';

import { openKnownKeys } from '../../shared/domains/agents/known_keys.ts';
import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { buy, fallDue, meet, runTimer } from '../orders/trade.ts';

describe('the tier of a tree', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ env: { TIER_BASIC_FROM: '50', TIER_PRO_FROM: '60' } });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  /** The tier, which the wallet and agent_me show alike. */
  async function tierOf({ key }: { key: string }) {
    const { body: wallet } = await platform.request('GET /api/v1/wallet', { key });
    const { body: me } = await platform.request('GET /api/v1/agent/me', { key });
    const { tier, next_tier, settled_inflow } = wallet;
    expect(me).to.deep.include({ tier, next_tier });
    return { tier, next_tier, settled_inflow };
  }

  it('rises with deposits, from the very amount on', async () => {
    const root = await platform.agent({ usd: 49.999999 });
    const child = await childOf(platform, root);
    for (const agent of [root, child]) {
      expect(await tierOf(agent)).to.deep.equal({
        tier: 'free',
        settled_inflow: 49.999999,
        next_tier: { tier: 'basic', from: 50, missing: 0.000001 },
      });
    }
    await platform.fund(root.id, 0.000001);
    expect(await tierOf(child)).to.deep.include({
      tier: 'basic',
      next_tier: { tier: 'pro', from: 60, missing: 10 },
    });
    await platform.fund(root.id, 10);
    expect(await tierOf(root)).to.deep.include({ tier: 'pro', next_tier: null });
  });

  it('rises with cleared sales that were paid in cash, and with nothing that may go back', async () => {
    const { seller, buyer, product } = await meet(platform, { usd: 120, price: 50 });
    const id = await buy(platform, buyer, product);
    expect(await tierOf(seller), 'in escrow').to.deep.include({ settled_inflow: 0 });
    await fallDue(platform, id);
    await runTimer(platform, 'release_due_orders');
    // $0.50 of the price was the welcome credit of the buyer.
    expect(await tierOf(seller)).to.deep.include({ tier: 'free', settled_inflow: 49.5 });

    const second = await platform.product(seller, { price: 50 });
    const refunded = await buy(platform, buyer, second);
    await platform.request(`POST /api/v1/orders/${refunded}/refund`, seller);
    for (const [agent, inflow] of [
      [seller, 49.5],
      [buyer, 120],
    ] as const) {
      expect((await tierOf(agent)).settled_inflow).to.equal(inflow);
    }
  });

  it('is announced once to its root by each rise, also when two inflows race', async () => {
    const root = await platform.agent({ usd: 49 });
    const child = await childOf(platform, root);
    const announced = async ({ key }: { key: string }) => {
      const path = 'GET /api/v1/events?type=wallet.*';
      const { events } = (await platform.request(path, { key })).body;
      return events.map(({ type, object, data }: Record<string, unknown>) => ({
        type,
        object,
        data,
      }));
    };
    expect(await announced(root)).to.deep.equal([]);
    await Promise.all(Array.from({ length: 4 }, () => platform.fund(root.id, 1)));
    const rise = (id: number, tier: string, settled_inflow: number) => ({
      type: 'wallet.tier_raised',
      object: { kind: 'wallet', id, status: tier },
      data: { tier, settled_inflow },
    });
    const first = rise(root.id, 'basic', 50);
    expect(await announced(root)).to.deep.equal([first]);
    expect(await announced(child), 'a child').to.deep.equal([]);

    const writtenAt = 'select announced_at from announced_tier where root_id = $1';
    const before = await platform.query(writtenAt, [root.id]);
    const product = await platform.product(root, { price: 5, items: ['A', 'B'] });
    const buyer = await platform.agent({ usd: 30 });
    // Its price has $0.50 of credit, which is no inflow.
    const id = await buy(platform, buyer, product);
    await platform.request(`POST /api/v1/orders/${id}/confirm`, buyer);
    expect(await announced(root)).to.deep.equal([first]);
    expect(await platform.query(writtenAt, [root.id]), 'nothing written').to.deep.equal(before);

    const second = await buy(platform, buyer, product);
    await platform.request(`POST /api/v1/orders/${second}/confirm`, buyer);
    expect(await announced(root)).to.deep.equal([first, rise(root.id, 'pro', 62.5)]);
  });

  it('is announced by a sale that a timer pays', async () => {
    const { seller, buyer, product } = await meet(platform, { price: 1 });
    await platform.fund(seller.id, 49.5);
    const id = await buy(platform, buyer, product);
    await fallDue(platform, id);
    await runTimer(platform, 'release_due_orders');
    const { events } = (await platform.request('GET /api/v1/events?type=wallet.*', seller)).body;
    expect(events).to.have.length(1);
    expect(events[0].data).to.deep.equal({ tier: 'basic', settled_inflow: 50 });
  });

  it('stays when the money is spent', async () => {
    const { buyer, product } = await meet(platform, { usd: 50, price: 40 });
    await buy(platform, buyer, product);
    expect(await tierOf(buyer)).to.deep.include({ tier: 'basic', settled_inflow: 50 });
  });

  it('is known to each API process within a minute', async () => {
    const agent = await platform.agent();
    let elapsedMs = 0;
    const { database, secrets } = platform.context;
    const levels = platform.config.api.tiers;
    const keys = openKnownKeys(database, secrets, { elapsedMs: () => elapsedMs, levels });
    await keys.look();
    expect((await keys.find(agent.key))?.tier).to.equal('free');
    await platform.fund(agent.id, 50);
    elapsedMs = 60_000;
    await keys.look();
    expect((await keys.find(agent.key))?.tier).to.equal('basic');
  });
});
