import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { eventually, TestPlatform } from '../harness.ts';
import { buy, openMarket, type Market } from './market.ts';
import { openVanishingRelay, type VanishingRelay } from './vanishing_relay.ts';

/** Nine seconds without an answer, half a second to the next check, and a new connection. */
const ANSWERED_MS_MAX = 12_000;

describe('a host of PostgreSQL that vanishes without a word', function () {
  this.timeout(90_000);

  let relay: VanishingRelay;
  let platform: TestPlatform;
  let market: Market;
  before(async () => {
    const url = new URL(process.env.TEST_POSTGRES_URL!);
    relay = await openVanishingRelay({ host: url.hostname, port: Number(url.port || 5432) });
    platform = await TestPlatform.open({ relayPort: relay.port });
    market = await openMarket(platform);
  });
  after(async () => {
    await platform.close();
    await relay.close();
  });

  it('holds up calls for seconds, not for the quarter of an hour that the kernel takes', async () => {
    const key = randomUUID();
    const first = await buy(platform, market, { key });
    expect(first?.status).to.equal(200);

    // With as many callers as have statements in flight, every duty of the process is hit.
    const callers = Array.from({ length: 12 }, () => buy(platform, market));
    relay.vanish();
    const vanishedAt = performance.now();
    await Promise.all(callers);
    const again = await eventually(
      () => buy(platform, market, { key: randomUUID() }),
      (reply) => reply?.status === 200,
    );
    const silentMs = performance.now() - vanishedAt;
    expect(again?.status).to.equal(200);
    expect(silentMs).to.be.lessThan(ANSWERED_MS_MAX);
    await eventually(
      async () => relay.swallowing(),
      (sockets) => sockets === 0,
    );
    // What was answered before is answered again, and a revoked key is still noticed.
    expect((await buy(platform, market, { key }))?.body.order_id).to.equal(first?.body.order_id);
    const ready = await platform.request('GET /readyz');
    expect(ready.status).to.equal(200);
  });
});
