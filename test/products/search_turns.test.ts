import { expect } from 'chai';
import pg from 'pg';

import { audit } from '../../shared/composition/audit.ts';
import { urlAs } from '../databases.ts';
import { eventually, TestPlatform } from '../harness.ts';

describe('searches', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  /** While `work` runs, no statement gets further than the table of products. */
  async function whileProductsAreLocked(work: () => Promise<void>): Promise<void> {
    const owner = new pg.Client(urlAs(platform.postgres, platform.name, 'market_owner'));
    await owner.connect();
    try {
      await owner.query('begin; lock table product in access exclusive mode');
      await work();
    } finally {
      await owner.end();
    }
  }

  /** How many searches wait for that table now. */
  async function running(): Promise<number> {
    const [{ count }] = await platform.query(
      `select count(*)::int as count from pg_locks
        where relation = 'product'::regclass and not granted
          and database = (select oid from pg_database where datname = current_database())`,
    );
    return count;
  }

  it('run one at a time for one tree and two in all, and wallets are read meanwhile', async () => {
    const agents = [await platform.agent(), await platform.agent(), await platform.agent()];
    const search = ({ key }: { key: string }) =>
      platform.request('GET /api/v1/products/search?query=x', { key });
    const searches: Promise<{ status: number }>[] = [];
    await whileProductsAreLocked(async () => {
      for (let n = 0; n < 20; n += 1) searches.push(search(agents[0]!));
      await eventually(running, (count) => count >= 1);
      expect((await platform.request('GET /api/v1/wallet', agents[0]!)).status).to.equal(200);
      expect(await running()).to.be.at.most(1);
      for (let n = 0; n < 5; n += 1) searches.push(search(agents[1]!), search(agents[2]!));
      await eventually(running, (count) => count >= 2);
      for (const { key } of agents) {
        expect((await platform.request('GET /api/v1/wallet', { key })).status).to.equal(200);
        expect(await running()).to.be.at.most(2);
      }
    });
    // Searches that waited for a second were stopped.
    for (const { status } of await Promise.all(searches)) expect(status).to.be.oneOf([200, 503]);
    expect((await search(agents[0]!)).status).to.equal(200);
  });

  it('are stopped before other statements are, and may be tried again', async () => {
    const { key } = await platform.agent();
    const { id } = await platform.product(await platform.agent());
    let other: Promise<unknown> | undefined;
    await whileProductsAreLocked(async () => {
      // Other statements may take eight seconds: this one began before.
      let isOver = false;
      other = platform
        .request(`GET /api/v1/products/${id}`, { key })
        .finally(() => (isOver = true));
      await eventually(running, (count) => count === 1);
      const { status, body } = await platform.request('GET /api/v1/products/search?query=x', {
        key,
      });
      expect([status, body.error, body.retryable]).to.deep.equal([
        503,
        'service_unavailable',
        true,
      ]);
      expect(isOver).to.equal(false);
    });
    await other;
  });
});
