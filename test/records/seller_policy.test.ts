import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { act, expectRefusal } from '../orders/deal.ts';
import { recordedPurchases } from '../orders/recorded_purchases.ts';
import { buy, meet } from '../orders/trade.ts';
import { setPolicy } from '../policy.ts';
import { done, openTask } from '../tasks/board.ts';
import { gatherRecords } from './gather_records.ts';

describe('a policy that asks for a record of the seller', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    await gatherRecords(platform);
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });
  const { bought } = recordedPurchases(() => platform);

  /** A seller with one established buyer, and an agent whose owner asks for so many. */
  async function scene(asked: number) {
    const { buyer, seller, product } = await meet(platform, {
      stock_kind: 'unlimited',
      content: 'All.',
    });
    const cheap = await platform.product(seller, {
      price: 0.1,
      stock_kind: 'unlimited',
      content: 'Some.',
    });
    const small = await platform.agent();
    for (const [agent, bought] of [
      [buyer, product],
      [small, cheap],
    ] as const) {
      const orderId = await buy(platform, agent, bought, 2);
      await act(platform, 'confirm_order', { orderId, key: agent.key });
    }
    await gatherRecords(platform);
    const owner = await platform.agent({ usd: 20 });
    const child = await childOf(platform, owner);
    await setPolicy(platform, owner, { min_seller_buyers: asked });
    return { seller, product, owner, child };
  }
  const order = ({ key }: { key: string }, body: object) =>
    platform.request('POST /api/v1/orders', { key, body });

  it('lets purchases from sellers through that have as many established buyers', async () => {
    const { owner, child, product } = await scene(1);
    for (const agent of [owner, child]) await buy(platform, agent, product);
    const calls = [0, 1, 2].map(() => ({ agent: child, product }));
    expect(await bought(...calls)).to.deep.equal([true, true, true]);
  });

  it('forbids others to the agent and all below it, and says so beforehand', async () => {
    const { owner, child, product } = await scene(2);
    const body = { product_id: product.id };
    const held = await platform.balance(owner);
    const trace = {
      rule: 'min_seller_buyers',
      policy_of: owner.id,
      limit: 2,
      asked: 1,
      largest_that_passes: 0,
    };
    for (const agent of [owner, child]) {
      const refused = await order(agent, body);
      expectRefusal(refused, 403, 'seller_not_allowed');
      expect(refused.body.details.policy_trace).to.deep.equal(trace);
    }
    const preview = { key: child.key, body };
    const shown = done(await platform.request('POST /api/v1/orders/preview', preview));
    expect(shown.policy_trace).to.deep.equal(trace);
    const dry = done(await order(child, { ...body, dry_run: true }));
    expect(JSON.stringify(dry)).to.include('seller_not_allowed').and.include('min_seller_buyers');
    // By the statement of batches too.
    const calls = [child, owner].map((agent) => ({ agent, product }));
    expect(await bought(...calls)).to.deep.equal([false, false]);
    expect(await bought(calls[0]!)).to.deep.equal([false]);
    expect(await platform.balance(owner)).to.equal(held);
    // A task has no seller.
    await openTask(platform, owner, { budget: 1 });
  });
});
