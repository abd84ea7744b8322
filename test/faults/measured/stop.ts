import { expect } from 'chai';

import { eventually, type TestPlatform } from '../../harness.ts';
import { child, endChildren, openPlatform, type Child } from '../children.ts';
import { buy, buyUntilDone, openMarket, expectConsistent, type Market } from '../market.ts';
import { openServers, type Servers } from '../servers.ts';
import { measureStalls, type Goals } from '../stalls.ts';

const STOP_MS_MAX = 10_000;
const CALLERS = 8;

interface Situation {
  readonly isBusy?: true;
  readonly harm?: () => Promise<void>;
  readonly repair?: () => Promise<void>;
}

export const stoppedProcesses = (goals: Goals) =>
  describe('an API and a worker that get SIGTERM', function () {
    this.timeout(120_000);

    let servers: Servers;
    let platform: TestPlatform;
    let market: Market;
    before(async () => {
      servers = await openServers();
      const { redis, postgres } = servers;
      platform = await openPlatform({
        redisUrl: redis.url,
        postgresUrl: postgres.url,
        workers: false,
      });
      market = await openMarket(platform);
    });
    after(async () => {
      await endChildren();
      await platform.close();
      await servers.close();
    });
    afterEach(endChildren);

    const accepted = new Set<string>();
    let answers = 0;

    /** Callers that buy until the API accepts no connection. */
    function keepBuying(api: Child): Promise<unknown> {
      return Promise.all(
        Array.from({ length: CALLERS }, async () => {
          for (;;) {
            const reply = await buy(api, market);
            if (!reply) return;
            answers += 1;
            if (reply.status < 300) accepted.add(reply.key);
            else expect(reply.status).to.equal(503);
          }
        }),
      );
    }

    /** Whether callers buy before the signal, what breaks then, and what repairs it. */
    const situations: Record<string, Situation> = {
      idle: {},
      busy: { isBusy: true },
      'busy, and Redis is dead': {
        isBusy: true,
        async harm() {
          servers.redis.kill('SIGKILL');
          await servers.redis.ended();
        },
        repair: () => servers.redis.start(),
      },
      'busy, and Redis is frozen': {
        isBusy: true,
        harm: async () => servers.redis.kill('SIGSTOP'),
        repair: async () => servers.redis.kill('SIGCONT'),
      },
      'busy, and PostgreSQL is dead': {
        isBusy: true,
        async harm() {
          servers.postgres.kill('SIGKILL');
          await servers.postgres.ended();
        },
        repair: () => servers.postgres.start(),
      },
    };

    for (const [situation, { isBusy, harm, repair }] of Object.entries(situations)) {
      it(`exit with code 0: ${situation}`, async () => {
        const [api, worker] = await Promise.all([
          child(platform, 'api/main.ts'),
          child(platform, 'workers/main.ts'),
        ]);
        const calls = isBusy && keepBuying(api);
        const untilMore = (answered: number) =>
          eventually(
            async () => answers,
            (now) => now >= answered,
          );
        if (isBusy) await untilMore(answers + 10);
        await harm?.();
        // Calls in flight, and one of each caller that was made afterwards.
        if (harm) await untilMore(answers + 2 * CALLERS);
        const [signalledAt, stallsMs] = [Date.now(), measureStalls()];
        api.kill('SIGTERM');
        worker.kill('SIGTERM');
        const end = async ({ ended }: Child) => [await ended, Date.now() - signalledAt] as const;
        const [apiEnded, workerEnded] = await Promise.all([end(api), end(worker)]);
        const stopMsMax = STOP_MS_MAX + stallsMs();
        await calls;
        await repair?.();
        expect([apiEnded[0], workerEnded[0]]).to.deep.equal([0, 0]);
        goals.expectGoal('API', apiEnded[1], stopMsMax);
        goals.expectGoal('worker', workerEnded[1], stopMsMax);
      });
    }

    it('leave no accepted call unperformed', async () => {
      const [api] = await Promise.all([
        child(platform, 'api/main.ts'),
        child(platform, 'workers/main.ts'),
      ]);
      expect(accepted.size).to.be.at.least(40);
      for (const key of accepted) {
        expect(await buyUntilDone(api, market, { key })).to.include({ status: 200 });
      }
      const [{ n }] = await platform.query(
        `select count(*)::int as n from job where operation = 'purchase_product'`,
      );
      expect(n).to.be.at.least(accepted.size);
      await expectConsistent(platform, n);
    });
  });
