// test:all: processes are restarted under load, and each takes seconds to leave.
import { once } from 'node:events';
import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { eventually, TestPlatform } from '../../harness.ts';
import { patience } from '../../platform/pace.ts';
import { launch, MASTER_KEYS, urlOf } from '../api_process.ts';
import { openRouter } from './router.ts';

const CALLERS = 8;
const PROCESSES = 2;

describe('API processes behind a router that repeats nothing', function () {
  this.timeout(180_000);

  let platform: TestPlatform;
  let router: Awaited<ReturnType<typeof openRouter>>;
  const children = new Set<{ kill(signal: 'SIGKILL'): boolean }>();
  before(async () => {
    platform = await TestPlatform.open({ env: { MASTER_KEYS }, workers: false });
    router = await openRouter();
    const worker = launch(platform, {}, 'workers/main.ts');
    children.add(worker.child);
    await once(worker.child, 'message');
  });
  after(async () => {
    router.close();
    children.forEach((child) => child.kill('SIGKILL'));
    await platform.close();
  });

  /** Starts one, and waits until it gets calls. */
  async function start() {
    const api = launch(platform, { DRAIN_MS: String(patience(4_000)), LOG_LEVEL: 'warn' });
    children.add(api.child);
    const place = router.add(await urlOf(api));
    await eventually(async () => place.isReady(), Boolean);
    return { api, place };
  }

  it('fail no call while they are restarted in turn', async () => {
    const seller = await platform.agent();
    const buyer = await platform.agent({ usd: 1_000 });
    const product = await platform.product(seller, {
      price: 0.01,
      stock_kind: 'unlimited',
      content: 'It.',
    });
    const running = await Promise.all(Array.from({ length: PROCESSES }, start));

    const headers = { authorization: `Bearer ${buyer.key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ product_id: product.id });
    const calls = [
      () => fetch(`${router.url}/api/v1/wallet`, { headers }),
      () => fetch(`${router.url}/api/v1/orders`, { method: 'POST', headers, body }),
    ];
    const statuses = new Map<number, number>();
    let isOver = false;
    const load = Array.from({ length: CALLERS }, async (_, n) => {
      while (!isOver) {
        const status = await calls[(n += 1) % calls.length]!().then(
          (answer) => answer.arrayBuffer().then(() => answer.status),
          () => 0,
        );
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    });

    for (const { api, place } of running) {
      api.child.kill('SIGTERM');
      expect(await api.exit).to.deep.equal([0, null]);
      place.remove();
      await start();
    }
    isOver = true;
    await Promise.all(load);
    // 202: a purchase that a slow machine performs later.
    const failed = [...statuses].filter(([status]) => status !== 200 && status !== 202);
    expect(failed).to.deep.equal([]);
    expect(statuses.get(200)).to.be.above(CALLERS);
    await eventually(
      () => platform.query(`select count(*)::int as n from job where status = 'pending'`),
      ([{ n }]) => n === 0,
    );
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });
});
