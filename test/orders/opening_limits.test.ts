import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { access, offer } from '../datasets/offer.ts';
import { TestPlatform } from '../harness.ts';
import { buy, meet } from './trade.ts';

/** Each opening makes a row that is kept for 400 days, and costs nothing. */
describe('openings of vaults and datasets', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open()));
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const open = ({ key }: { key: string }, id: number) =>
    platform.request(`GET /vault/${id}`, { key });
  const used = (tree: number, count: number) =>
    platform.query(
      `insert into limit_window (kind, holder, used, resets_at)
       values ('openings', 'tree ' || $1::int, $2, now() + interval '1 hour')
       on conflict (kind, holder) do update set used = excluded.used`,
      [tree, count],
    );
  const rows = async (tree: number): Promise<number> =>
    (await platform.query('select from opening where root_id = $1', [tree])).length;

  it('are counted for a tree of agents, over both kinds, and refused beyond 20 000 a day', async () => {
    const { seller, buyer, product } = await meet(platform, { items: ['v1', 'v2'], price: 1 });
    const { dataset_id: free } = await offer(platform, seller);
    const child = await childOf(platform, buyer);
    const order = await buy(platform, buyer, product);
    expect((await open(buyer, order)).status).to.equal(200);
    await used(buyer.id, 19_998);

    expect((await open(buyer, order)).status).to.equal(200);
    expect((await access(platform, child, free)).status).to.equal(200);
    const made = await rows(buyer.id);
    for (const refused of [await open(buyer, order), await access(platform, child, free)]) {
      expect([refused.status, refused.body.error]).to.deep.equal([429, 'rate_limited']);
      expect(refused.body.details).to.include({
        limited_by: 'openings',
        limit: 20_000,
        used: 20_000,
        window_seconds: 86_400,
      });
    }
    expect(await rows(buyer.id)).to.equal(made);
    // It shuts out the tree that reached it and nobody else.
    expect((await access(platform, seller, free)).status).to.equal(200);
    await platform.query(`update limit_window set resets_at = now() where kind = 'openings'`);
    expect((await open(buyer, order)).status).to.equal(200);
  });

  it('are not refused for the first time of what was bought', async () => {
    const { seller, buyer, product } = await meet(platform, { items: ['v1'], price: 1 });
    const sold = await offer(platform, seller, { price: 0.5 });
    const [vault, dataset] = [
      await buy(platform, buyer, product),
      await buy(platform, buyer, { id: sold.product_id }),
    ];
    await used(buyer.id, 20_000);
    expect((await open(buyer, vault)).status).to.equal(200);
    expect((await access(platform, buyer, sold.dataset_id)).status).to.equal(200);
    expect((await access(platform, buyer, sold.dataset_id)).status).to.equal(429);
    expect(dataset).to.be.a('number');
  });
});
