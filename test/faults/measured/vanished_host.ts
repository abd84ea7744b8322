import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { Rig } from '../../api/socks/rig.ts';
import { eventually, TestPlatform } from '../../harness.ts';
import { admin } from '../children.ts';
import { buy, clearRedis, openMarket, type Market } from '../market.ts';
import { measureStalls, type Goals } from '../stalls.ts';
import { openVanishingRelay, type VanishingRelay } from '../vanishing_relay.ts';

/** Nine seconds without an answer, half a second to the next look, and a new connection. */
const ANSWERED_MS_MAX = 10_000;

export const vanishedHost = (goals: Goals) =>
  describe('a host of PostgreSQL that vanishes without a word', function () {
    this.timeout(90_000);

    let relay: VanishingRelay;
    let rig: Rig;
    let platform: TestPlatform;
    let market: Market;
    before(async () => {
      const url = new URL(process.env.TEST_POSTGRES_URL!);
      relay = await openVanishingRelay({ host: url.hostname, port: Number(url.port || 5432) });
      rig = await Rig.open((env) => TestPlatform.open({ env, relayPort: relay.port }));
      ({ platform } = rig);
      market = await openMarket(platform);
    });
    after(async () => {
      await rig.close();
      await relay.close();
    });

    /** A purchase that was recorded, is in no queue, and is due when the test says so. */
    async function forgottenJob(): Promise<string> {
      await platform.pauseWorkers();
      const { body } = (await buy(platform, market, { wait: 0 }))!;
      await platform.query(`update job set run_at = 'infinity' where id = $1`, [body.job_id]);
      await clearRedis(platform);
      await platform.resumeWorkers();
      return body.job_id as string;
    }

    it('holds up every duty of a process for seconds, not for a quarter of an hour', async () => {
      const first = await buy(platform, market, { key: randomUUID() });
      expect(first?.status).to.equal(200);
      const job = await forgottenJob();
      await rig.proxy('DE');
      const socks = await rig.server();
      const agent = await rig.agent();
      const revoked = await platform.keyOf(market.buyer, ['read']);
      const wallet = () => platform.request('GET /api/v1/wallet', { key: revoked });
      expect((await wallet()).status).to.equal(200);

      // With as many callers as have statements in flight, every duty of the process is hit.
      const callers = Array.from({ length: 12 }, () => buy(platform, market));
      relay.vanish();
      const [vanishedAt, stallsMs] = [performance.now(), measureStalls()];
      await admin(platform, `update job set run_at = now() where id = $1`, [job]);
      await admin(
        platform,
        `update api_key set revoked_at = now() where id = (select max(id) from api_key)`,
      );
      const until = async <T>(
        duty: string,
        ask: () => Promise<T>,
        done: (answer: T) => boolean,
      ) => {
        await eventually(ask, done);
        const ms = performance.now() - vanishedAt;
        goals.expectGoal(duty, ms, ANSWERED_MS_MAX + stallsMs());
      };
      await Promise.all([
        until(
          'API and worker: a purchase is answered',
          () => buy(platform, market),
          (reply) => reply?.status === 200,
        ),
        until(
          'dispatcher: a job that is due is performed',
          () => admin(platform, 'select status from job where id = $1', [job]),
          ([found]) => found!.status === 'complete',
        ),
        until('keys: one that was revoked is refused', wallet, ({ status }) => status === 401),
        until(
          'SOCKS5 server: a connection is made',
          () => rig.get(socks, agent).catch(() => undefined),
          (answer) => answer !== undefined,
        ),
      ]);
      await Promise.all(callers);
      await eventually(
        async () => relay.swallowing(),
        (sockets) => sockets === 0,
      );
      // A call that was answered before is answered again.
      const again = await buy(platform, market, { key: first!.key });
      expect(again?.body.order_id).to.equal(first?.body.order_id);
      expect((await platform.request('GET /readyz')).status).to.equal(200);
    });
  });
