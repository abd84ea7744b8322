import { expect } from 'chai';
import type { EntityManager } from 'typeorm';

import { audit } from '../../shared/composition/audit.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { setPolicy } from '../policy.ts';
import { recordedPurchases, type Purchase } from './recorded_purchases.ts';
import { sceneOf } from './scene.ts';

/** A purchase while another transaction has done half of something. */
describe('a purchase beside an open transaction', () => {
  let platform: TestPlatform;
  let seller: { id: number; key: string };
  let open: { id: number };
  before(async () => {
    platform = await TestPlatform.open();
    seller = await platform.agent();
    const fields = { price: 1, stock_kind: 'unlimited', content: 'open' };
    open = await platform.product(seller, fields);
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const { perform, record } = recordedPurchases(() => platform);
  const { buy } = sceneOf(() => platform);
  const COUNTED = { price: 1, stock_kind: 'counted', content: 'One of few.' };

  /** How many of the calls are bought that wait for a transaction which does this first. */
  async function boughtAfter(
    act: (db: EntityManager) => Promise<unknown>,
    ...calls: readonly Purchase[]
  ): Promise<number> {
    const ids = await record(...calls);
    let late: Promise<string[]> | undefined;
    await platform.context.database.transaction(async (db) => {
      await act(db);
      late = perform(ids);
      await somebodyWaits();
    });
    return (await late!).length;
  }
  const somebodyWaits = () =>
    eventually(
      () => platform.query('select from pg_locks where not granted'),
      (waiting) => waiting.length > 0,
    );
  const first = async (...calls: readonly Purchase[]) => {
    const ids = await record(...calls);
    return async (db: EntityManager) => expect(await perform(ids, db)).to.have.members(ids);
  };

  it('is left out where another worker performs it', async () => {
    const buyer = await platform.agent({ usd: 50 });
    const ids = await record({ agent: buyer, product: open }, { agent: buyer, product: open });
    await platform.context.database.transaction(async (db) => {
      await db.query('select from job where id = $1 for update', [ids[0]]);
      expect(await perform(ids)).to.deep.equal([ids[1]]);
      expect(await perform(ids.slice(0, 1))).to.deep.equal([]);
    });
    expect(await perform(ids)).to.deep.equal([ids[0]]);
  });

  for (const [name, count] of Object.entries({ 'a lone one': 1, 'a batch': 2 })) {
    it(`waits for what its tree buys, and counts it: ${name}`, async () => {
      const agent = await platform.agent({ usd: 50 });
      await setPolicy(platform, agent, { daily_spend_limit: 1_100_000 });
      const calls = Array.from({ length: count }, () => ({ agent, product: open }));
      expect(await boughtAfter(await first(calls[0]!), ...calls)).to.equal(0);
    });

    it(`takes other units than those that others are buying: ${name}`, async () => {
      const product = await platform.product(seller, {
        price: 0.1,
        items: ['1', '2', '3', '4'].map((n) => n + name),
      });
      const buyers = await Promise.all([platform.agent(), platform.agent()]);
      const [mine, theirs] = buyers.map((agent) => ({ agent, product }));
      const ids = await record(...Array.from({ length: count }, () => theirs!));
      const others = await first(mine!, mine!);
      await platform.context.database.transaction(async (db) => {
        await others(db);
        expect(await perform(ids)).to.have.length(count);
      });
      const [{ orders }] = await platform.query(
        'select count(distinct order_id)::int as orders from stock where product_id = $1',
        [product.id],
      );
      expect(orders).to.equal(2 + count);
    });

    it(`counts what is left when others have bought: ${name}`, async () => {
      const product = await platform.product(seller, { ...COUNTED, quantity: 1 + count });
      const buyers = await Promise.all([1, 2].map(() => platform.agent({ usd: 50 })));
      const [mine, theirs] = buyers.map((agent) => ({ agent, product }));
      const calls = Array.from({ length: count }, () => theirs!);
      expect(await boughtAfter(await first(mine!, mine!), ...calls)).to.equal(count - 1);
    });
  }

  it('is left out where the product gets another version', async () => {
    const product = await platform.product(seller, { ...COUNTED, quantity: 1 });
    const agent = await platform.agent({ usd: 50 });
    const edit = async (db: EntityManager) => {
      await db.query(
        `insert into product_version
         select product_id, 2, title, 2 * price, null, 1
           from product_version where product_id = $1`,
        [product.id],
      );
      await db.query('update product set version = 2, price = 2 * price where id = $1', [
        product.id,
      ]);
    };
    expect(await boughtAfter(edit, { agent, product })).to.equal(0);
  });

  it('of several units waits for those that others give back', async () => {
    const product = await platform.product(seller, { price: 1, items: ['several', 'units'] });
    const { key } = await platform.agent({ usd: 50 });
    let late: ReturnType<typeof buy> | undefined;
    await platform.context.database.transaction(async (db) => {
      await db.query('select from stock where product_id = $1 for update', [product.id]);
      late = buy(key, { product_id: product.id, quantity: 2 });
      await somebodyWaits();
    });
    expect((await late!).status).to.equal(200);
  });
});
