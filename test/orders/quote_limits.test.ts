import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { quotesOf } from './quoting.ts';

describe('the quotes of a tree', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open()));
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });
  const { meet, quote, preview, buy, stockOf, overdue } = quotesOf(() => platform);
  const heldOf = async (agent: { key: string }, body: object) => {
    const { status, body: answer, text } = await preview(agent, body);
    expect(status, text).to.equal(200);
    expect(answer.held, text).to.equal(answer.quote_id !== undefined);
    return answer.held ? 'held' : answer.not_held;
  };

  it('are none for keys that may not buy, for those who only look, and without the money', async () => {
    const { seller, buyer, product } = await meet('counted', { units: 9 });
    const reader = { key: await platform.keyOf(buyer, ['read', 'sell']) };
    expect(await heldOf(reader, { product_id: product.id })).to.equal('no_buy_scope');
    expect(await heldOf(buyer, { product_id: product.id, hold: false })).to.equal('not_asked');
    const poor = await platform.agent();
    expect(await heldOf(poor, { product_id: product.id })).to.equal('not_affordable');
    expect(await stockOf(seller, product)).to.deep.equal([9, 0, 0]);
    expect(await platform.query('select from quote where product_id = $1', [product.id])).to.eql(
      [],
    );
  });

  it('are three of one product, and twenty in all, of all its agents together', async () => {
    const buyer = await platform.agent({ usd: 50 });
    const child = await childOf(platform, buyer);
    const products: number[] = [];
    for (let n = 0; n < 7; n += 1) products.push((await meet('unlimited')).product.id);
    const open: number[] = [];
    for (const product_id of products.slice(0, 6)) {
      const asking = [buyer, child, buyer].map((agent) => quote(agent, { product_id }));
      open.push(...(await Promise.all(asking)));
      const more = await heldOf(child, { product_id });
      expect(more).to.equal(open.length < 20 ? 'product_limit' : 'tree_limit');
    }
    const last = { product_id: products[6] };
    open.push(await quote(child, last), await quote(buyer, last));
    expect(await heldOf(buyer, last)).to.equal('tree_limit');
    expect(await heldOf(await platform.agent({ usd: 5 }), last), 'of another tree').to.equal(
      'held',
    );
    expect((await buy(buyer, { quote_id: open[0] })).status, 'bought').to.equal(200);
    expect(await heldOf(buyer, last)).to.equal('held');
    await overdue(open[2]!);
    expect(await heldOf(child, { product_id: products[0] }), 'over').to.equal('held');
  });

  it('at once are three of one product too', async () => {
    const { buyer, product } = await meet('counted', { units: 40, usd: 20 });
    const asking = Array.from({ length: 8 }, () => heldOf(buyer, { product_id: product.id }));
    const held = await Promise.all(asking);
    expect(held.filter((one) => one === 'held')).to.have.length(3);
    expect(held.filter((one) => one === 'product_limit')).to.have.length(5);
  });

  it('cost no more than the tree has', async () => {
    const { buyer, product } = await meet('unlimited', { usd: 2.7 });
    const first = await quote(buyer, { product_id: product.id });
    expect(await heldOf(buyer, { product_id: product.id, quantity: 2 })).to.equal('not_affordable');
    expect(await heldOf(buyer, { product_id: product.id })).to.equal('held');
    expect(await heldOf(buyer, { product_id: product.id })).to.equal('not_affordable');
    await overdue(first);
    expect(await heldOf(buyer, { product_id: product.id })).to.equal('held');
  });

  it('cost no more than the tree has when they are asked for at once', async () => {
    const { buyer } = await meet('unlimited', { usd: 1 });
    const products = await Promise.all(Array.from({ length: 8 }, () => meet('unlimited')));
    const asking = products.map(({ product }) => heldOf(buyer, { product_id: product.id }));
    const held = await Promise.all(asking);
    expect(held.filter((one) => one === 'held')).to.have.length(1);
    expect(held.filter((one) => one === 'not_affordable')).to.have.length(7);
  });

  for (const kind of ['serial_pool', 'counted'] as const) {
    it(`hold half of the units of a product between them, rounded up: ${kind}`, async () => {
      const { seller, product } = await meet(kind, { units: 5 });
      const trees = await Promise.all(Array.from({ length: 5 }, () => platform.agent({ usd: 9 })));
      const asking = trees.map((tree) => heldOf(tree, { product_id: product.id }));
      const held = await Promise.all(asking);
      expect(held.filter((one) => one === 'held')).to.have.length(3);
      expect(held.filter((one) => one === 'units_limit')).to.have.length(2);
      expect(await stockOf(seller, product)).to.deep.equal([2, 3, 0]);
      const other = await platform.agent({ usd: 9 });
      expect((await buy(other, { product_id: product.id, quantity: 2 })).status).to.equal(200);
      const two = await meet(kind, { units: 3 });
      const both = { product_id: two.product.id, quantity: 2 };
      expect(await heldOf(two.buyer, { ...both, quantity: 3 })).to.equal('units_limit');
      expect(await heldOf(two.buyer, both)).to.equal('held');
    });

    it(`with units are fifty a day of one product, without those bought: ${kind}`, async () => {
      const { buyer, product } = await meet(kind, { units: 9 });
      const quote_id = await quote(buyer, { product_id: product.id });
      const use = `update limit_window set used = 50 where kind = 'quotes' and holder = $1`;
      await platform.query(use, [`tree ${buyer.id} product ${product.id}`]);
      expect(await heldOf(buyer, { product_id: product.id })).to.equal('daily_limit');
      expect((await buy(buyer, { quote_id })).status).to.equal(200);
      const next = await quote(buyer, { product_id: product.id });
      await overdue(next);
      expect(await heldOf(buyer, { product_id: product.id })).to.equal('daily_limit');
      const other = await meet(kind, { units: 9 });
      expect(await heldOf(buyer, { product_id: other.product.id })).to.equal('held');
    });
  }
});
