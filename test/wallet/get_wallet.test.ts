import { expect } from 'chai';

import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { buy, fallDue, meet, runTimer } from '../orders/trade.ts';
import { setPolicy } from '../policy.ts';

describe('get_wallet', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  const wallet = async (key: string) =>
    (await platform.request('GET /api/v1/wallet', { key })).body;

  it('shows a new agent its welcome credit, which is no cash', async () => {
    const { key } = await platform.agent();
    expect(await wallet(key)).to.deep.include({
      balance: 0.5,
      cash: 0,
      credit: 0.5,
      in_escrow: 0,
      currency: 'USD',
      tier: 'free',
      daily_spend: 0,
      daily_spend_limit: null,
    });
  });

  it('shows what is spent at once, and what is in escrow until it is released', async () => {
    const { buyer, seller, product } = await meet(platform, { usd: 3, price: 2 });
    const id = await buy(platform, buyer, product);
    expect(await wallet(buyer.key)).to.include({
      balance: 1.3,
      cash: 1.3,
      credit: 0,
      in_escrow: 2.2,
      daily_spend: 2.2,
    });
    expect(await wallet(seller.key)).to.include({ balance: 0.5, in_escrow: 0, daily_spend: 0 });
    await fallDue(platform, id);
    await runTimer(platform, 'release_due_orders');
    expect(await wallet(buyer.key)).to.include({ balance: 1.3, in_escrow: 0, daily_spend: 2.2 });
    expect(await wallet(seller.key)).to.include({ balance: 2.5, credit: 1, cash: 1.5 });
  });

  it("shows a child its owner's money and its own spending and limit", async () => {
    const { buyer, product } = await meet(platform, { usd: 10, price: 1, items: ['w1', 'w2'] });
    const child = await childOf(platform, buyer);
    await setPolicy(platform, child, { daily_spend_limit: 4000000 });
    await buy(platform, buyer, product);
    await buy(platform, child, product);
    const tree = { balance: 8.3, in_escrow: 2.2 };
    const own = { daily_spend: 1.1, daily_spend_limit: 4 };
    expect(await wallet(child.key)).to.include({ ...tree, ...own });
    // The child's spending counts for its owner too.
    const owners = { daily_spend: 2.2, daily_spend_limit: null };
    expect(await wallet(buyer.key)).to.include({ ...tree, ...owners });
  });

  it('counts nothing of the day before as spent today', async () => {
    const { buyer, product } = await meet(platform, { price: 1 });
    await buy(platform, buyer, product);
    await platform.query('update spend set day = day - 1 where agent_id = $1', [buyer.id]);
    expect(await wallet(buyer.key)).to.include({ daily_spend: 0 });
  });

  it('shows fractions of a cent exactly', async () => {
    const agent = await platform.agent({ usd: 0.000001 });
    await platform.fund(agent.id, 0.1);
    await platform.fund(agent.id, 0.2);
    const { text } = await platform.request('GET /api/v1/wallet', { key: agent.key });
    expect(text).to.include('"balance":0.800001,"cash":0.300001,');
  });

  it('refuses who has no key, and a key without read', async () => {
    const agent = await platform.agent();
    const key = await platform.keyOf(agent, ['buy', 'sell']);
    const ask = (given?: string) => platform.request('GET /api/v1/wallet', { key: given });
    expect((await ask()).body.error).to.equal('authentication_required');
    expect((await ask(key)).body.error).to.equal('insufficient_scope');
  });
});
