import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';

import type { TestPlatform } from '../harness.ts';
import { admin, child, endChildren, openPlatform, type Child } from './children.ts';
import { openCrowd, wire, type Heard } from './load_generator.ts';
import { openMarket, percentile, expectConsistent, logMeasurement, type Market } from './market.ts';
import { openRedis, type OwnRedis } from './servers.ts';

/** A few less than an API has in hand: with all of them it is full, and refuses nobody. */
const CALLERS = 256;
const FLIGHT_MS = 100;
/** Enough for all that arrive while a busy machine holds up the API for a second. */
const CONNECTIONS = 2_000;
/** What else the machine does may spoil some of them, and not most. */
const TURNS = 5;

describe('an API of which three times as much is asked as it can do', function () {
  this.timeout(120_000);

  let redis: OwnRedis;
  let platform: TestPlatform;
  let market: Market;
  let api: Child;
  before(async () => {
    redis = await openRedis();
    platform = await openPlatform({ redisUrl: redis.url, workers: false });
    market = await openMarket(platform, { usd: 10_000 });
    // PostgreSQL takes its time for each batch, so that it is the platform that has too much to do
    // and not the machine, on which its callers run too. One batch at a time: no more than 640 a
    // second, three times which costs little of any CPU.
    await admin(
      platform,
      `create function take_time() returns trigger language plpgsql as
         $$ begin perform pg_sleep(${FLIGHT_MS / 1_000}); return null; end $$`,
    );
    await admin(
      platform,
      `create trigger take_time after insert on orders for each statement
         execute function take_time()`,
    );
    [api] = await Promise.all([
      child(platform, 'api/main.ts'),
      child(platform, 'workers/main.ts', { WORKER_CONCURRENCY: '1' }),
    ]);
  });
  after(async () => {
    await endChildren();
    await platform.close();
    await redis.close();
  });

  it('refuses what is too much at once, serves the rest half as fast at worst, and loses nothing', async () => {
    const asked: string[] = [];
    const crowd = openCrowd(api, () => {
      const key = randomUUID();
      asked.push(key);
      return wire('POST /api/v1/orders', {
        key: market.buyer.key,
        body: `{"product_id":${market.product.id}}`,
        headers: { 'idempotency-key': key },
      });
    });
    const all: (Heard | undefined)[] = [];
    const note = (heard: (Heard | undefined)[]) => {
      all.push(...heard);
      return heard.map((one) => one!);
    };

    await crowd.open(CONNECTIONS);
    const turns: Turn[] = [];
    let overAt = 0;
    for (let n = 0; n < TURNS; n += 1) {
      // What was too much may still be in hand.
      while (statusesOf(note(await crowd.keepAsking(CALLERS, 500))).includes(503));
      const from = performance.now();
      const normal = note(await crowd.keepAsking(CALLERS, 1_500));
      const perSecond = normal.length / ((performance.now() - from) / 1_000);
      expect(statusesOf(normal), 'a full platform refuses nobody').to.deep.equal([200]);

      const watch = watched(api, market);
      const much = note(await crowd.arrive(3 * perSecond, 2_000));
      overAt = performance.now();
      const watchedMeanwhile = await watch.stop();

      expect([200, 202, 429, 503]).to.include.members(statusesOf(much));
      const accepted = much.filter(({ status }) => status < 300);
      const refused = much.filter(({ status }) => status >= 400);
      for (const { head, body } of refused) {
        expect(head).to.match(/\r\nretry-after: [1-9]/i);
        expect(JSON.parse(body)).to.include({ error: 'queue_overloaded', retryable: true });
      }
      turns.push({
        perSecond,
        normalMs: p99(normal),
        acceptedMs: p99(accepted),
        refusedMs: p99(refused),
        acceptedPerSecond: accepted.length / (lastAnswerMs(accepted) / 1_000),
        isCheapAnswered: watchedMeanwhile.every((status) => status === 200),
      });
    }
    const inMost = (of: (turn: Turn) => number) => percentile(turns.map(of), 50);
    const normalMs = inMost((turn) => turn.normalMs);
    const accepted = inMost((turn) => turn.acceptedMs / turn.normalMs);
    const refused = inMost((turn) => turn.refusedMs / turn.normalMs);
    const done = inMost((turn) => turn.acceptedPerSecond / turn.perSecond);
    const [perSecond, share] = [inMost((turn) => turn.perSecond), (n: number) => n.toFixed(2)];
    logMeasurement(`of ${Math.round(perSecond)} a second, p99`, normalMs);
    console.log(
      `      of three times as many, p99 of what is accepted: ${share(accepted)} of that, ` +
        `of what is refused: ${share(refused)}; done: ${share(done)}`,
    );
    expect(accepted).to.be.at.most(2);
    expect(refused, 'at once').to.be.below(1 / 2);
    expect(done, 'goes on with its work').to.be.above(1 / 2);
    const cheap = inMost((turn) => Number(turn.isCheapAnswered));
    expect(cheap, 'what is cheap is answered').to.equal(1);

    // A machine that others use too is not the same from one second to the next.
    let again: Heard[];
    do again = note(await crowd.keepAsking(CALLERS, 1_000));
    while (p99(again) > 1.25 * normalMs || statusesOf(again).includes(503));
    logMeasurement('back to normal after', performance.now() - overAt);
    expect(performance.now() - overAt).to.be.below(10_000 + 1_000);
    crowd.close();

    expect(all, 'everybody was answered').not.to.include(undefined);
    const bought = all.filter((one) => one!.status < 300).length;
    expect(asked.length).to.equal(all.length);
    await expectConsistent(platform, bought);
    const [{ jobs }] = await platform.query(
      'select count(*)::int as jobs from job where key = any ($1)',
      [asked],
    );
    expect(jobs, 'a call that is refused is recorded nowhere').to.equal(bought);
  });
});

/** What was measured of a full platform, and then of too much. */
interface Turn {
  readonly perSecond: number;
  readonly normalMs: number;
  readonly acceptedMs: number;
  readonly refusedMs: number;
  readonly acceptedPerSecond: number;
  readonly isCheapAnswered: boolean;
}

/** Asks again and again for what must be answered whatever else there is to do. */
function watched(api: Child, { buyer }: Market) {
  const headers = { authorization: `Bearer ${buyer.key}` };
  const paths = ['/healthz', '/readyz', '/openapi.json', '/llms.txt', '/api/v1/wallet'];
  const statuses: number[] = [];
  let over = false;
  const asking = (async () => {
    while (!over) {
      for (const path of paths) {
        const answer = await fetch(api.url + path, { headers });
        await answer.text();
        statuses.push(answer.status);
      }
      await sleep(50);
    }
  })();
  return {
    async stop() {
      over = true;
      await asking;
      return statuses;
    },
  };
}

const p99 = (heard: readonly Heard[]) =>
  percentile(
    heard.map(({ ms }) => ms),
    99,
  );

/** From the first question to the last answer. */
const lastAnswerMs = (heard: readonly Heard[]) =>
  Math.max(...heard.map(({ askedAt, ms }) => askedAt + ms)) -
  Math.min(...heard.map(({ askedAt }) => askedAt));

const statusesOf = (heard: readonly Heard[]) => [...new Set(heard.map(({ status }) => status))];
