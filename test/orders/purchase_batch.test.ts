import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { setPolicy } from '../policy.ts';
import { makeYesterdays } from '../wallet/yesterday.ts';
import { openDeal } from './deal.ts';
import { recordedPurchases, type Purchase } from './recorded_purchases.ts';
import { suspend } from '../suspend.ts';

const UNLIMITED = { stock_kind: 'unlimited', content: 'open' };
const COUNTED = { stock_kind: 'counted', content: 'One of few.' };

/** The SQL of batches itself: what it leaves out, it leaves to `handle`, which would buy too. */
describe('a batch of purchases', () => {
  let platform: TestPlatform;
  let seller: { id: number; key: string };
  let open: { id: number };
  before(async () => {
    platform = await TestPlatform.open();
    seller = await platform.agent();
    open = await platform.product(seller, { price: 1, ...UNLIMITED });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const { bought, perform, record } = recordedPurchases(() => platform);

  for (const way of ['in one batch', 'one by one']) {
    it(`buys what is right and no call that is not: ${way}`, async () => {
      const rich = await platform.agent({ usd: 50 });
      const suspended = await platform.agent({ usd: 5 });
      const orphan = await childOf(platform, suspended);
      await suspend(platform, suspended);
      const off = await platform.product(seller, { price: 1, ...UNLIMITED, active: false });
      const unapproved = await platform.product(seller, { price: 1, ...UNLIMITED });
      await platform.query(`update product set status = 'suspended' where id = $1`, [
        unapproved.id,
      ]);
      const own = await platform.product(rich, { price: 1, ...UNLIMITED });
      const limited = await platform.agent({ usd: 50 });
      await setPolicy(platform, limited, { max_spend_per_tx: 1_099_999 });
      const exact = await platform.agent({ usd: 50 });
      await setPolicy(platform, exact, { max_spend_per_tx: 1_100_000 });
      const narrow = await platform.agent({ usd: 50 });
      await setPolicy(platform, narrow, { allowed_product_types: ['dataset'] });
      const careful = await platform.agent({ usd: 50 });
      await setPolicy(platform, careful, { min_seller_buyers: 1 });
      const few = await platform.product(seller, { price: 1, items: [`only ${way}`] });
      const poor = await platform.agent({ usd: 0.599999 }); // and $0.50 of credit
      const spendsAll = await platform.agent({ usd: 0.6 });
      const owner = await platform.agent({ usd: 50 });
      await setPolicy(platform, owner, { daily_spend_limit: 1_099_999 });
      const child = await childOf(platform, owner);
      const last = await platform.product(seller, { price: 1, ...COUNTED, quantity: 1 });
      const rested = await openDeal(platform);
      await makeYesterdays(platform, rested.buyer.id);
      await setPolicy(platform, rested.buyer, { daily_spend_limit: 1_100_000 });

      const calls: [Purchase, boolean][] = [
        [{ agent: rich, product: open }, true],
        [{ agent: suspended, product: open }, false],
        [{ agent: orphan, product: open }, false],
        [{ agent: rich, product: off }, false],
        [{ agent: rich, product: unapproved }, false],
        [{ agent: rich, product: own }, false],
        [{ agent: rich, product: { id: 999_999 } }, false],
        [{ agent: limited, product: open }, false],
        [{ agent: exact, product: open }, true],
        [{ agent: narrow, product: open }, false],
        [{ agent: careful, product: open }, false],
        [{ agent: rich, product: few, quantity: 2 }, false],
        [{ agent: poor, product: open }, false],
        [{ agent: spendsAll, product: open }, true],
        [{ agent: child, product: open }, false],
        [{ agent: await childOf(platform, rich), product: open }, true],
        [{ agent: rich, product: last }, true],
        [{ agent: rested.buyer, product: open }, true],
        [{ agent: rich, product: open, quantity: 3 }, true],
      ];
      const purchases = calls.map(([purchase]) => purchase);
      const outcomes: boolean[] = [];
      if (way === 'in one batch') outcomes.push(...(await bought(...purchases)));
      else for (const purchase of purchases) outcomes.push(...(await bought(purchase)));
      expect(outcomes).to.deep.equal(calls.map(([, expected]) => expected));
    });
  }

  it('counts the calls before one to its daily limit, also those of a child', async () => {
    const owner = await platform.agent({ usd: 50 });
    const child = await childOf(platform, owner);
    await setPolicy(platform, owner, { daily_spend_limit: 3_300_000 });
    const calls = [owner, child, owner, child, owner].map((agent) => ({ agent, product: open }));
    expect(await bought(...calls)).to.deep.equal([true, true, true, false, false]);
  });

  it('counts the calls before one to the balance of its tree', async () => {
    const owner = await platform.agent({ usd: 2 }); // and $0.50 of credit
    const child = await childOf(platform, owner);
    const calls = [child, owner, child].map((agent) => ({ agent, product: open }));
    expect(await bought(...calls)).to.deep.equal([true, true, false]);
    expect(
      await platform.query('select credit::int, cash::int from ledger.treasury where id = $1', [
        owner.id,
      ]),
    ).to.deep.equal([{ credit: 0, cash: 300_000 }]);
  });

  for (const [kind, stock] of Object.entries({
    serial_pool: { items: ['u1', 'u2', 'u3', 'u4'] },
    counted: { ...COUNTED, quantity: 4 },
  })) {
    it(`sells no unit twice and none that is not there: ${kind}`, async () => {
      const product = await platform.product(seller, { price: 0.1, ...stock });
      const buyers = await Promise.all([1, 2, 3].map(() => platform.agent({ usd: 5 })));
      expect(await bought({ agent: buyers[2]!, product })).to.deep.equal([true]);
      const calls = [2, 1, 1].map((quantity, n) => ({ agent: buyers[n]!, product, quantity }));
      expect(await bought(...calls)).to.deep.equal([true, true, false]);
      const [{ units }] = await platform.query(
        `select array_agg(n::int order by n desc) as units from (
           select count(*) as n from stock where product_id = $1 and order_id is not null
            group by order_id) sold`,
        [product.id],
      );
      expect(units).to.deep.equal(kind === 'serial_pool' ? [2, 1, 1] : null);
    });
  }

  it('buys once, however often it is delivered', async () => {
    const buyer = await platform.agent({ usd: 50 });
    const ids = await record({ agent: buyer, product: open }, { agent: buyer, product: open });
    expect(await perform(ids)).to.have.members(ids);
    expect(await perform(ids)).to.deep.equal([]);
    expect(await perform(ids.slice(0, 1))).to.deep.equal([]);
  });
});
