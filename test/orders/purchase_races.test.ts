import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { sceneOf } from './scene.ts';

describe('purchase_product at once', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const { scene, buy } = sceneOf(() => platform);

  it('sells the last unit to exactly one of ten simultaneous buyers', async () => {
    const { product } = await scene({ items: 1 });
    const buyers = await Promise.all(Array.from({ length: 10 }, () => platform.agent({ usd: 5 })));

    const replies = await Promise.all(
      buyers.map(({ key }) => buy(key, { product_id: product.id })),
    );

    expect(replies.filter(({ status }) => status === 200)).to.have.length(1);
    expect(replies.filter(({ body }) => body.error === 'out_of_stock')).to.have.length(9);
    const balances = await Promise.all(buyers.map((buyer) => platform.balance(buyer)));
    expect(balances.filter((usd) => usd === 4.4)).to.have.length(1);
    expect(balances.filter((usd) => usd === 5.5)).to.have.length(9);
  });

  it('spends a wallet for ten on exactly ten of forty simultaneous purchases', async () => {
    const { buyer, product } = await scene({ usd: 10.5, items: 40 });
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => buy(buyer.key, { product_id: product.id })),
    );
    expect(replies.filter(({ status }) => status === 200)).to.have.length(10);
    expect(replies.filter(({ body }) => body.error === 'insufficient_balance')).to.have.length(30);
    expect(await platform.balance(buyer)).to.equal(0);
  });

  it('sells every unit of a pool to buyers who want several each', async () => {
    const { product } = await scene({ items: 12 });
    const buyers = await Promise.all(Array.from({ length: 12 }, () => platform.agent({ usd: 10 })));
    const replies = await Promise.all(
      buyers.map(({ key }) => buy(key, { product_id: product.id, quantity: 3 })),
    );
    expect(replies.filter(({ status }) => status === 200)).to.have.length(4);
    expect(replies.filter(({ body }) => body.error === 'out_of_stock')).to.have.length(8);
  });
});
