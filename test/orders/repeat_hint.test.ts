import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { sceneOf } from './scene.ts';

describe('repeat_hint', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const { scene, buy } = sceneOf(() => platform);
  const keyed = (key: string, body: object, idempotencyKey: string) =>
    platform.request('POST /api/v1/orders', {
      key,
      body,
      headers: { 'Idempotency-Key': idempotencyKey },
    });

  it('names the order that an equal purchase without a key may repeat', async () => {
    const { buyer, product } = await scene({ usd: 20, items: 9 });
    const { body: first } = await buy(buyer.key, { product_id: product.id });
    expect(first).to.not.have.any.keys('possible_repeat_of', 'hint');

    const { status, body } = await buy(buyer.key, { product_id: product.id, quantity: 1 });

    expect(status).to.equal(200);
    expect(body.possible_repeat_of).to.equal(first.order_id);
    expect(body.hint).to.include(`Order ${first.order_id} bought the same`);
    expect(body.hint).to.include(`dispute_order on order ${body.order_id}`);
    const { body: third } = await buy(buyer.key, { product_id: product.id });
    expect(third.possible_repeat_of).to.equal(body.order_id);
  });

  it('says it of tool calls too', async () => {
    const { buyer, product } = await scene({ usd: 20, items: 2 });
    const call = () =>
      platform.request('POST /api/v1/mcp/call', {
        key: buyer.key,
        body: { tool: 'purchase_product', arguments: { product_id: product.id } },
      });
    const { body: first } = await call();
    const { body } = await call();
    expect(body.possible_repeat_of).to.equal(first.order_id);
  });

  it('says it of two that were made at once of one of them alone', async () => {
    const { buyer, product } = await scene({ usd: 20, items: 2 });
    const wanted = { product_id: product.id };
    const answers = await Promise.all([buy(buyer.key, wanted), buy(buyer.key, wanted)]);
    const [first, second] = answers
      .map(({ body }) => body)
      .toSorted((a, b) => a.order_id - b.order_id);
    expect(first).to.not.have.property('hint');
    expect(second!.possible_repeat_of).to.equal(first!.order_id);
  });

  it('says nothing where a key tells the calls apart', async () => {
    const { buyer, product } = await scene({ usd: 20, items: 9 });
    const wanted = { product_id: product.id };
    const bought = [
      await keyed(buyer.key, wanted, 'one'),
      await keyed(buyer.key, wanted, 'two'),
      await buy(buyer.key, wanted), // the earlier ones have keys
    ];
    await buy(buyer.key, { ...wanted, quantity: 2 });
    bought.push(await keyed(buyer.key, wanted, 'three'));
    for (const { status, body } of bought) {
      expect(status).to.equal(200);
      expect(body).to.not.have.any.keys('possible_repeat_of', 'hint');
    }
  });

  it('says nothing of another number, product, agent or of an older order', async () => {
    const { buyer, product, seller } = await scene({ usd: 20, items: 9 });
    const other = await platform.product(seller, { price: 1, items: ['KEY'] });
    const third = await platform.agent({ usd: 5 });
    const { body: first } = await buy(buyer.key, { product_id: product.id });
    const bought = [
      await buy(buyer.key, { product_id: product.id, quantity: 2 }),
      await buy(buyer.key, { product_id: other.id }),
      await buy(third.key, { product_id: product.id }),
    ];
    await platform.context.database.query(
      `update orders set created_at = now() - interval '61 seconds' where id = $1`,
      [first.order_id],
    );
    bought.push(await buy(buyer.key, { product_id: product.id }));
    for (const { status, body } of bought) {
      expect(status).to.equal(200);
      expect(body).to.not.have.property('hint');
    }
  });
});
