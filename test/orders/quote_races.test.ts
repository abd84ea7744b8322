import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { quotesOf } from './quoting.ts';
import { startTimer } from './trade.ts';

describe('a quote at once', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open()));
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });
  const { meet, quote, preview, buy, stockOf, overdue } = quotesOf(() => platform);

  for (const kind of ['serial_pool', 'counted', 'unlimited'] as const) {
    it(`is bought by exactly one of ten calls: ${kind}`, async () => {
      const { buyer, product } = await meet(kind, { usd: 20 });
      const quote_id = await quote(buyer, { product_id: product.id });
      const calls = Array.from({ length: 10 }, () => buy(buyer, { quote_id }));
      const replies = await Promise.all(calls);
      expect(replies.filter(({ status }) => status === 200)).to.have.length(1);
      expect(replies.filter(({ body }) => body.error === 'invalid_transition')).to.have.length(9);
      expect(await platform.balance(buyer)).to.be.closeTo(19.4, 1e-9);
    });
  }

  for (const kind of ['serial_pool', 'counted'] as const) {
    it(`and ordinary purchases sell the last unit once: ${kind}`, async () => {
      for (let round = 0; round < 5; round += 1) {
        const { seller, buyer, product } = await meet(kind);
        const others = await Promise.all([1, 2, 3].map(() => platform.agent({ usd: 5 })));
        const [asked, ...bought] = await Promise.all([
          preview(buyer, { product_id: product.id }),
          ...others.map((other) => buy(other, { product_id: product.id })),
        ]);
        const sold = bought.filter(({ status }) => status === 200).length;
        if (asked.body.held) {
          expect(sold).to.equal(0);
          expect((await buy(buyer, { quote_id: asked.body.quote_id })).status).to.equal(200);
        } else {
          expect(sold).to.equal(1);
        }
        expect(await stockOf(seller, product)).to.deep.equal([0, 0, 1]);
      }
    });

    it(`that ends is bought, or its unit by another, and never both: ${kind}`, async () => {
      for (let round = 0; round < 5; round += 1) {
        const { seller, buyer, product } = await meet(kind);
        const other = await platform.agent({ usd: 5 });
        const quote_id = await quote(buyer, { product_id: product.id });
        const [quoted, plain] = await Promise.all([
          buy(buyer, { quote_id }),
          overdue(quote_id).then(() => buy(other, { product_id: product.id })),
          startTimer(platform, 'release_quotes'),
        ]);
        if (quoted.status === 200) {
          expect(plain.body.error).to.equal('out_of_stock');
        } else {
          expect(quoted.body.error).to.equal('invalid_transition');
          // Whoever comes while the unit is on its way back is told to repeat the call.
          if (plain.status !== 200) {
            expect([plain.body.error, plain.body.retryable]).to.deep.equal(['out_of_stock', true]);
            expect((await buy(other, { product_id: product.id })).status).to.equal(200);
          }
        }
        expect(await stockOf(seller, product)).to.deep.equal([0, 0, 1]);
      }
    });
  }
});
