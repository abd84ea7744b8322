// test:goals: it measures how long pages of a large owner take.
import { expect } from 'chai';

import { MARKET_PAGES } from '../../api/console/market/pages.ts';
import { OPERATOR_PAGES } from '../../api/console/operator/pages.ts';
import { OWNER_PAGES } from '../../api/console/owner/pages.ts';
import { expectGoal } from '../faults/stalls.ts';
import { TestPlatform } from '../harness.ts';
import { copyRow, withoutTriggers } from '../plans/superuser.ts';
import { BrowserLike, operator } from './browser_like.ts';
import { busyOwner } from './busy_owner.ts';

const AGENTS = 999;
const ORDERS = 700;
const PRODUCTS = 150;
const SERVER_MS = 300;
const PAGE_BYTES = 200_000;
const RUNS = 3;

describe('the pages of an owner with 1 000 agents, 700 orders and 150 products', function () {
  this.timeout(300_000);
  let platform: TestPlatform;
  let busy: Awaited<ReturnType<typeof busyOwner>>;
  before(async () => {
    platform = await TestPlatform.open();
    busy = await busyOwner(platform);
    const { agent, orderId } = busy;
    await platform.pauseWorkers();
    const one = `(select min(id) from agent where username like '%/kid-%') + n % ${AGENTS}`;
    await withoutTriggers(
      platform,
      `insert into agent (id, username, owner_id, root_id, lineage)
       select id, '${agent.username}/kid-' || n, ${agent.id}, ${agent.id}, array[${agent.id}, id]
         from (select n, nextval('agent_id') as id from generate_series(1, ${AGENTS}) n) made;
       insert into spend (agent_id, root_id)
       select id, root_id from agent where username like '%/kid-%';
       insert into policy (agent_id, root_id, version)
       select id, root_id, 1 from agent where username like '%/kid-%'`,
    );
    await copyRow(platform, 'orders', {
      where: `t.id = ${orderId}`,
      count: ORDERS,
      changes: {
        id: `nextval('order_id')`,
        job_id: 'gen_random_uuid()',
        escrow_id: `-nextval('order_id')`,
        buyer_id: one,
        release_at: "now() + n * interval '1 minute'",
      },
    });
    await copyRow(platform, 'product', {
      where: `t.id = (select max(id) from product where seller_id = ${agent.id})`,
      count: PRODUCTS,
      changes: { id: `nextval(pg_get_serial_sequence('product', 'id'))`, title: `'Product ' || n` },
    });
    await withoutTriggers(
      platform,
      `insert into product_version
       select (jsonb_populate_record(v, jsonb_build_object('product_id', p.id))).*
         from product p, product_version v
        where p.title like 'Product %' and v.version = p.version
          and v.product_id = (select min(id) from product where seller_id = ${agent.id});
       analyze`,
    );
  });
  after(() => platform.close());

  async function measure(browser: BrowserLike, paths: readonly string[]): Promise<void> {
    const slow: string[] = [];
    let slowest = 0;
    for (const path of paths) {
      const times: number[] = [];
      let bytes = 0;
      for (let run = 0; run < RUNS; run += 1) {
        const startedAt = performance.now();
        const { status, text } = await browser.get(path);
        times.push(performance.now() - startedAt);
        expect(status, path).to.equal(200);
        bytes = Buffer.byteLength(text);
      }
      const median = times.toSorted((a, b) => a - b)[RUNS >> 1]!;
      slowest = Math.max(slowest, median);
      if (median > SERVER_MS / 2) slow.push(`${path} ${Math.round(median)} ms`);
      expect(bytes, `bytes of ${path}`).to.be.below(PAGE_BYTES);
    }
    expectGoal(`the slowest of ${paths.length} pages ${slow.join()}`, slowest, SERVER_MS);
  }

  it('are answered soon, and are light, in each order', async () => {
    await measure(busy.browser, [
      ...OWNER_PAGES.map((page) => busy.pathOf(page)),
      '/console/account',
      '/console/orders?sort=amount_desc',
      '/console/orders?role=seller&sort=oldest',
      '/console/check?sort=due',
      '/console/selling?sort=title',
      '/console/agents?sort=spent_desc',
      '/console/find?query=kid-9',
    ]);
  });

  it('and so are those of the market and of operators', async () => {
    const market = MARKET_PAGES.map(({ path }) => path).filter((path) => !path.includes(':'));
    await measure(new BrowserLike(platform), ['/', ...market, `/market/sellers/${busy.seller.id}`]);
    const pages = OPERATOR_PAGES.map(({ path }) => path).filter((path) => !path.includes(':'));
    await measure(await operator(platform), pages);
  });
});
