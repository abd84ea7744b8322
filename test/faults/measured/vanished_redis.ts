import { expect } from 'chai';

import { eventually, TestPlatform } from '../../harness.ts';
import { patience } from '../../platform/pace.ts';
import { buy, expectConsistent, openMarket, type Market } from '../market.ts';
import { measureStalls, type Goals } from '../stalls.ts';
import { openVanishingRelay, type VanishingRelay } from '../vanishing_relay.ts';

/**
 * The worker's command is given up after four seconds without a byte, at the next look half a
 * second later. In the worst case BullMQ only then begins to wait for a job on its own connection,
 * which it gives up after three seconds: 7.5 s, and a connection (measured: 4.6 s, at worst 7.3 s).
 */
const ANSWERED_MS_MAX = 10_000;

export const vanishedRedis = (goals: Goals) =>
  describe('a host of Redis that vanishes without a word', function () {
    this.timeout(120_000);

    let relay: VanishingRelay;
    let platform: TestPlatform;
    let market: Market;
    before(async () => {
      const url = new URL(process.env.TEST_REDIS_URL!);
      relay = await openVanishingRelay({ host: url.hostname, port: Number(url.port) });
      url.host = `127.0.0.1:${relay.port}`;
      platform = await TestPlatform.open({ redisUrl: url.href });
      market = await openMarket(platform);
    });
    after(async () => {
      await platform.close();
      await relay.close();
    });

    it('delays answers for seconds, and every connection is made anew', async () => {
      expect((await buy(platform, market))?.status).to.equal(200);
      relay.vanish();
      const [vanishedAt, stallsMs] = [performance.now(), measureStalls()];
      let calls = 1;
      const statuses = new Set<number | undefined>();
      await eventually(
        async () => {
          calls += 1;
          const reply = await buy(platform, market);
          statuses.add(reply?.status);
          return reply;
        },
        (reply) => reply?.status === 200 && reply.ms < patience(1_000),
      );
      const silentMs = performance.now() - vanishedAt;
      const limitMs = ANSWERED_MS_MAX + stallsMs();
      goals.expectGoal('answers in time after Redis had vanished', silentMs, limitMs);
      // Connections that wait for jobs, that perform them and that subscribe.
      await eventually(
        async () => relay.swallowing(),
        (sockets) => sockets === 0,
      );
      const closedMs = performance.now() - vanishedAt;
      goals.expectGoal('no connection left to the host that vanished', closedMs, limitMs);
      expect([200, 202]).to.include.members([...statuses]);
      await expectConsistent(platform, calls);
    });
  });
