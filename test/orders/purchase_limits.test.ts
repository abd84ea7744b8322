import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { sceneOf } from './scene.ts';
import { setPolicy } from '../policy.ts';
import { suspend } from '../suspend.ts';

describe('purchase_product under limits', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const { scene, buy } = sceneOf(() => platform);

  describe('under a policy', () => {
    const limit = (agent: { id: number }, columns: Record<string, unknown>) =>
      setPolicy(platform, agent, columns);

    for (const [code, expected, policy, trace] of [
      [
        'daily_limit_exceeded',
        402,
        { daily_spend_limit: 1_000_000 },
        { rule: 'daily_spend_limit', limit: 1, used: 0, largest_that_passes: 1 },
      ],
      [
        'tx_limit_exceeded',
        402,
        // More than the subtotal: the fee counts too.
        { max_spend_per_tx: 1_050_000 },
        { rule: 'max_spend_per_tx', limit: 1.05, largest_that_passes: 1.05 },
      ],
      [
        'product_type_not_allowed',
        403,
        { allowed_product_types: ['dataset'] },
        { rule: 'allowed_product_types', asked: 'serial_key' },
      ],
      [
        'seller_not_allowed',
        403,
        { min_seller_buyers: 1 },
        { rule: 'min_seller_buyers', limit: 1, asked: 0, largest_that_passes: 0 },
      ],
    ] as const) {
      it(`refuses with ${code} and says what would pass`, async () => {
        const { buyer, product } = await scene();
        await limit(buyer, policy);
        const before = await platform.balance(buyer);
        const { status, body } = await buy(buyer.key, { product_id: product.id });
        expect([status, body.error]).to.deep.equal([expected, code]);
        expect(body.details.policy_trace).to.include({ ...trace, policy_of: buyer.id });
        expect(await platform.balance(buyer)).to.equal(before);
      });
    }

    it('refuses a suspended agent', async () => {
      const { buyer, product } = await scene();
      await suspend(platform, buyer);
      const { status, body } = await buy(buyer.key, { product_id: product.id });
      expect([status, body.error]).to.deep.equal([403, 'agent_suspended']);
    });

    it('lets exactly five of twenty simultaneous purchases through a limit for five', async () => {
      const { buyer, product } = await scene({ usd: 50, items: 20 });
      await limit(buyer, { daily_spend_limit: 5_500_000 });
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => buy(buyer.key, { product_id: product.id })),
      );
      const told = replies.map(({ status, body }) => (status === 200 ? 'bought' : body.error));
      expect(told.filter((word) => word === 'bought')).to.have.length(5);
      expect(told.filter((word) => word === 'daily_limit_exceeded')).to.have.length(15);
      expect(await platform.balance(buyer)).to.equal(45);
    });
  });

  it('tells what is lacking in the order of the interface', async () => {
    const { buyer, product } = await scene({ usd: 0, price: 3, items: 1 });
    const ask = async (quantity = 1) =>
      (await buy(buyer.key, { product_id: product.id, quantity })).body.error;
    expect(await ask(1)).to.equal('insufficient_balance');
    expect(await ask(2)).to.equal('out_of_stock');
    await setPolicy(platform, buyer, { daily_spend_limit: 1 });
    expect(await ask(2)).to.equal('daily_limit_exceeded');
    await setPolicy(platform, buyer, { max_spend_per_tx: 1 });
    expect(await ask(2)).to.equal('tx_limit_exceeded');
    await setPolicy(platform, buyer, { min_seller_buyers: 1 });
    expect(await ask(2)).to.equal('seller_not_allowed');
    await setPolicy(platform, buyer, { allowed_product_types: ['dataset'] });
    expect(await ask(2)).to.equal('product_type_not_allowed');
    await suspend(platform, buyer);
    expect(await ask(2)).to.equal('agent_suspended');
    await platform.query('update product set active = false where id = $1', [product.id]);
    expect(await ask(2)).to.equal('product_unavailable');
    expect((await buy(buyer.key, { product_id: 2_000_000_000 })).body.error).to.equal('not_found');
    expect((await buy(buyer.key, { product_id: 0 })).body.error).to.equal('validation_error');
    const reader = await platform.keyOf(buyer, ['read']);
    expect((await buy(reader, { product_id: 0 })).body.error).to.equal('insufficient_scope');
    expect((await buy('vnx_wrong', { product_id: 0 })).body.error).to.equal('invalid_key');
  });
});
