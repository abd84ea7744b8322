// test:all: a second look at what is dispatched, with queues that lose jobs.
import { expect } from 'chai';
import type { Redis } from 'ioredis';

import { transact } from '../../shared/platform/database.ts';
import { insertJobs, lowestJobId, newJobId } from '../../shared/jobs/jobs.ts';
import { redisForWorkers } from '../../shared/platform/redis.ts';
import type { Context } from '../../shared/composition/context.ts';
import type { Gateways } from '../../shared/composition/gateways.ts';
import type { Batch } from '../../shared/jobs/queue.ts';
import { openDispatch } from '../../workers/dispatch.ts';
import { runJob } from '../../workers/run_job.ts';
import { startZone } from '../email/zone.ts';
import { eventually, type TestPlatform } from '../harness.ts';
import { openPlatform } from './children.ts';
import { buy, clearRedis, openMarket, expectConsistent } from './market.ts';
import { untilSettled, type Market } from './market.ts';

/** Dispatchers whose scans the test starts. What they push reaches no queue. */
describe('several dispatchers', function () {
  this.timeout(60_000);

  let platform: TestPlatform;
  let names: Awaited<ReturnType<typeof startZone>>;
  let market: Market;
  let redis: Redis; // Unlike the platform's own, it waits for the answer.
  beforeEach(async () => {
    pushed.splice(0);
    names = await startZone({});
    platform = await openPlatform({ workers: false, env: { DNS_SERVERS: names.address } });
    market = await openMarket(platform);
    redis = redisForWorkers(platform.config.redisUrl, platform.context.log);
  });
  afterEach(async () => {
    redis.disconnect();
    await platform.close();
    await names.close();
  });

  let refusing = false;
  const pushed: Batch[] = [];

  /** Another dispatching process. It knows what an API queued only if it reads the queue. */
  function dispatcher({ readsQueue = false } = {}) {
    const push = async (batch: Batch) => !refusing && pushed.push(batch) > 0;
    const latencyMs = readsQueue ? platform.context.queue.latencyMs : async () => 0;
    const queue = { ...platform.context.queue, redis, push, latencyMs, ready: () => true };
    const context: Context = { ...platform.context, queue };
    return openDispatch(context, platform.prefix);
  }

  const purchases = () =>
    pushed.filter(({ operation }) => operation === 'purchase_product').flatMap(({ ids }) => ids);

  it('push each due row once, and once more each time that it is due', async () => {
    const three = [dispatcher(), dispatcher(), dispatcher()];
    const calls = Array.from({ length: 30 }, () => buy(platform, market, { wait: 0 }));
    const ids = (await Promise.all(calls)).map((reply) => reply!.body.job_id as string);
    // However slow the machine is, no row counts as lost yet, and none is due a second time.
    await platform.query(
      `update job set created_at = now() + interval '1 minute', attempts = 4 where id = any ($1)`,
      [ids],
    );
    const tick = () => Promise.all(three.map((scan) => scan()));
    await tick();
    expect(purchases(), 'Redis lost its data: at once').to.have.members(ids);
    for (let n = 0; n < 5; n += 1) await tick();
    expect(purchases(), 'not yet').to.have.length(30);
    const later = `select min(run_at) > now() + interval '45 s' as ok from job where id = any ($1)`;
    expect((await platform.query(later, [ids]))[0].ok, 'after four attempts').to.equal(true);
    await platform.query(`update job set run_at = now() where status = 'pending'`);
    for (let n = 0; n < 5; n += 1) await tick();
    expect(purchases()).to.have.members([...ids, ...ids]);
  });

  it('push no job that still waits in its queue, however long, and push a job that is not there', async () => {
    const scan = dispatcher({ readsQueue: true });
    await scan(); // After this scan Redis no longer counts as new.
    // The head of the queue is 10 s old, so the jobs behind it do not count as lost yet.
    const queue = platform.context.queue.queueOf('money');
    const timestamp = Date.now() - 10_000;
    await queue.add('purchase_product', { ids: [] }, { timestamp });
    const calls = Array.from({ length: 20 }, () => buy(platform, market, { wait: 0 }));
    const ids = (await Promise.all(calls)).map((reply) => reply!.body.job_id as string);
    const [delayed, ...immediate] = ids;
    await platform.query(`update job set run_at = now(), push_after = now() where id = $1`, [
      delayed,
    ]);
    await eventually(
      () =>
        platform.query(
          `select min(now() - created_at) > interval '1.5 s' as old from job where id = any ($1)`,
          [ids],
        ),
      ([{ old }]) => old,
    );
    for (let n = 0; n < 3; n += 1) await scan();
    expect(purchases()).to.deep.equal([]);

    await queue.drain();
    await scan();
    expect(purchases()).to.have.members([delayed, ...immediate]);
    await clearRedis(platform);
    await platform.resumeWorkers();
    await untilSettled(platform);
  });

  it('start a timer of every minute once a minute, and once after a pause', async () => {
    const rows = async () =>
      platform.query(`select cause from job where operation = 'release_due_orders' order by cause`);
    await Promise.all([dispatcher(), dispatcher(), dispatcher()].map((scan) => scan()));
    const first = await rows();
    // One for this minute; if the minute ends meanwhile, one for the next.
    expect(first.length).to.be.within(1, 2);
    await platform.query(`delete from job where operation = 'release_due_orders'`);
    await platform.query(
      `insert into job (id, operation, agent_id, root_id, cause, input, input_hash, request_id,
                        run_at)
       values ($1, 'release_due_orders', 0, 0, $2, '{}', '', 'r', now() - interval '1 hour')`,
      [
        newJobId(new Date()),
        `release_due_orders:${new Date(Date.now() - 3_600_000).toISOString()}`,
      ],
    );
    await Promise.all([dispatcher(), dispatcher()].map((scan) => scan()));
    expect((await rows()).length).to.be.within(2, 3);
  });

  it('find every row that a long transaction commits, whatever its created_at and run_at', async function () {
    this.timeout(30_000);
    const scan = dispatcher();
    const now = platform.context.clock.now();
    const ago = (ms: number) => new Date(now.getTime() - ms);
    const rows: { id: string; runAt?: Date }[] = [
      { id: newJobId(now) },
      { id: newJobId(now), runAt: ago(-10) },
      // Jobs of a process that stalled for a minute before it recorded them.
      { id: lowestJobId(ago(60_000)) },
      { id: newJobId(now), runAt: ago(60_000) },
    ];
    await transact(platform.context.database, async (db) => {
      await db.query('set local idle_in_transaction_session_timeout = 0');
      const { hash } = platform.context.secrets.hash('test', 'input');
      const job = { operation: 'purchase_product', input: {}, requestId: 'r', hash };
      await insertJobs(
        db,
        rows.map((row) => ({ ...job, agentId: 0, rootId: 0, ...row })),
      );
      // Longer than a watermark stays behind the present.
      await eventually(
        async () => {
          await buy(platform, market, { wait: 0 });
          await scan();
          return platform.query(`select now() > $1::timestamptz + interval '5.5 s' as passed`, [
            now,
          ]);
        },
        ([{ passed }]) => passed,
      );
    });
    const ids = rows.map(({ id }) => id);
    await eventually(
      async () => {
        await scan();
        return pushed.flatMap((batch) => batch.ids);
      },
      (seen) => ids.every((id) => seen.includes(id)),
    );
    await platform.query(`delete from job where id = any ($1)`, [ids]);
    await platform.resumeWorkers();
    await untilSettled(platform);
  });

  it('push at the next scan what Redis did not accept', async () => {
    const scan = dispatcher();
    const { body } = (await buy(platform, market, { wait: 0 }))!;
    refusing = true;
    await scan();
    expect(purchases()).to.deep.equal([]);
    refusing = false;
    await scan();
    expect(purchases()).to.deep.equal([body.job_id]);
  });

  it('count one attempt for all copies of a job that are in the queue', async () => {
    const { body } = (await buy(platform, market, { wait: 0 }))!;
    await platform.query(`update job set attempts = 6 where id = $1`, [body.job_id]);
    for (let copies = 0; copies < 5; copies += 1) await runJob(platform.context, body.job_id, 5);
    const [row] = await platform.query('select attempts, status from job where id = $1', [
      body.job_id,
    ]);
    expect(row).to.deep.equal({ attempts: 6, status: 'pending' });
    expect(await runJob(platform.context, body.job_id, 6)).to.include({ status: 'complete' });
    await platform.resumeWorkers();
    await expectConsistent(platform, 1);
  });

  for (const attempts of [
    [undefined, 0],
    [0, undefined],
  ]) {
    const first = attempts[0] === undefined ? 'by its API' : 'by a dispatcher';
    it(`make one call to the gateway for a job that was pushed twice, first ${first}`, async () => {
      const { body } = await platform.request('GET /api/v1/email/validate/ada@nobody.example', {
        key: market.buyer.key,
        headers: { prefer: 'respond-async' },
      });
      const scan = dispatcher();
      await eventually(scan, () => pushed.some(({ ids }) => ids[0] === body.job_id));
      let [calls, isDone] = [0, false];
      let allow!: () => void;
      const allowed = new Promise<void>((resolve) => (allow = resolve));
      const { gateways: others } = platform.context;
      const { mail } = others!;
      const slow: typeof mail = {
        async examine(addresses, call) {
          calls += 1;
          await allowed;
          return mail.examine(addresses, call);
        },
      };
      // Not a copy: that would open them all, and some have no settings here.
      const gateways: Gateways = Object.create(others!, { mail: { value: slow } });
      const context = { ...platform.context, gateways };
      const running = runJob(context, body.job_id, attempts[0]);
      await eventually(async () => calls, Boolean);
      const other = runJob(context, body.job_id, attempts[1]).finally(() => (isDone = true));
      await eventually(async () => isDone || calls > 1, Boolean);
      expect(calls).to.equal(1);
      expect(await other).to.equal(null);
      allow();
      expect(await running).to.include({ status: 'complete' });
    });
  }

  it('push all rows at once after Redis lost them, also more than one scan takes', async () => {
    const calls = Array.from({ length: 450 }, () => buy(platform, market, { wait: 0 }));
    await Promise.all(calls);
    await platform.query(
      `update job set run_at = now() + interval '5 minutes', push_after = now(), attempts = 2
        where status = 'pending'`,
    );
    const scan = dispatcher();
    for (let n = 0; n < 3; n += 1) await scan();
    expect(purchases()).to.have.length(450);
    await platform.resumeWorkers();
    await untilSettled(platform);
    await expectConsistent(platform, 450);
  });
});
