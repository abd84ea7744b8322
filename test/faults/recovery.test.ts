// test:all: a second look at what is dispatched after a fault.
import { expect } from 'chai';

import { lowestJobId } from '../../shared/jobs/jobs.ts';
import type { Batch } from '../../shared/jobs/queue.ts';
import type { Context } from '../../shared/composition/context.ts';
import { transact } from '../../shared/platform/database.ts';
import { openDispatch, startDispatcher } from '../../workers/dispatch.ts';
import {
  forgetPushes,
  makeDue,
  moveWatermarks,
  takeDelayed,
  takeImmediate,
} from '../../workers/due_jobs.ts';
import { eventually, type TestPlatform } from '../harness.ts';
import { openPlatform } from './children.ts';
import { buy, expectConsistent, openMarket, type Market } from './market.ts';

describe('the dispatcher', function () {
  this.timeout(30_000);

  let platform: TestPlatform;
  let market: Market;
  beforeEach(async () => {
    platform = await openPlatform({ workers: false });
    market = await openMarket(platform);
  });
  afterEach(() => platform.close());

  /** Rounds that push, without any queue that gets it. */
  function openRounds() {
    const pushed: Batch[] = [];
    const push = async (batch: Batch) => pushed.push(batch) > 0;
    const queue = { ...platform.context.queue, push, latencyMs: async () => 0, ready: () => true };
    const context: Context = { ...platform.context, queue };
    const purchases = () => pushed.filter(({ operation }) => operation === 'purchase_product');
    return { round: openDispatch(context, platform.prefix), purchases };
  }

  /** Calls that come while Redis is away. */
  async function buyWithoutRedis(calls: number): Promise<string[]> {
    const { queue } = platform.context;
    const before = { ...queue };
    Object.assign(queue, { ready: () => false });
    const replies = await Promise.all(
      Array.from({ length: calls }, () => buy(platform, market, { wait: 0 })),
    );
    Object.assign(queue, before);
    return replies.map((reply) => reply!.body.job_id as string);
  }

  it('pushes what was recorded while Redis was away in one round, in batches', async () => {
    const { round, purchases } = openRounds();
    await round(); // Redis is new, too.
    const ids = await buyWithoutRedis(300);
    expect(await round(), 'jobs are pending').to.deep.equal({ isIdle: false });
    const batches = purchases();
    expect(batches.flatMap((batch) => batch.ids)).to.have.members(ids);
    expect(batches).to.have.length(Math.ceil(300 / 64));
    // Whatever is not finished then goes alone: one of them may have ended its worker.
    await platform.query(`update job set run_at = now() where id = any ($1)`, [ids.slice(0, 2)]);
    await round();
    expect(purchases().slice(batches.length)).to.have.deep.members(
      ids.slice(0, 2).map((id) => ({ ...batches[0], ids: [id], attempts: 0 })),
    );
    await platform.query(`update job set run_at = now(), push_after = null where id = any ($1)`, [
      ids,
    ]);
    await platform.resumeWorkers();
    await expectConsistent(platform, 300);
  });

  it('finds every job after another server, whose clock is behind, became the primary', async () => {
    const { round, purchases } = openRounds();
    await round();
    // The watermarks are those of the other clock.
    const behind = 20_000;
    const ahead = new Date(Date.now() + behind);
    await platform.query(
      `update dispatch_watermark set at = case scan when 'delayed' then $1::timestamptz end,
              id = case scan when 'immediate' then $2::uuid end`,
      [ahead, lowestJobId(ahead)],
    );
    const immediate = (await buy(platform, market, { wait: 0 }))!.body.job_id as string;
    const [delayed] = await buyWithoutRedis(1);
    const notPushed = (await buy(platform, market, { wait: 0 }))!.body.job_id as string;
    await makeDue(platform.context, [notPushed]);
    const below = `select job.id from job, dispatch_watermark w
      where status = 'pending' and operation = 'purchase_product'
        and (run_at is null and job.id < w.id or run_at < w.at)`;
    expect(await platform.query(below)).to.deep.equal([]);
    await round();
    expect(await platform.query(below)).to.deep.equal([]);
    const [{ back }] = await platform.query(
      `select at < now() as back from dispatch_watermark where scan = 'delayed'`,
    );
    expect(back).to.equal(true);
    // They are late, by as much as the clocks differ, and not lost.
    await platform.query(`update job set run_at = run_at - $1 * interval '1 ms'`, [behind]);
    await round();
    const found = purchases().flatMap(({ ids }) => ids);
    expect(found).to.have.members([immediate, delayed, notPushed]);
    await platform.resumeWorkers();
    await expectConsistent(platform, 3);
  });

  it('looks again soon where a call came lately, for the next one may be lost', async () => {
    const { round } = openRounds();
    // The jobs of the market came a moment ago.
    await eventually(round, ({ isIdle }) => isIdle);
    await platform.query(
      `insert into job (id, operation, agent_id, root_id, input, input_hash, request_id, status,
                        http_status, answer, finished_at)
       values ($1, 'purchase_product', 1, 1, '{}', '', 'r', 'complete', 200, '{}', now())`,
      [lowestJobId(new Date())],
    );
    expect(await round()).to.deep.equal({ isIdle: false });
  });

  it('takes a job as lost after a quarter of a second and what jobs take at the moment', async () => {
    const id = (await buy(platform, market, { wait: 0 }))!.body.job_id as string;
    const takenAt = async (ageMs: number, tookMs: number) => {
      await platform.query(
        `update job set run_at = null, push_after = null,
                        created_at = now() - $2 * interval '1 ms' where id = $1`,
        [id, ageMs],
      );
      const durations = JSON.stringify({ purchase_product: tookMs });
      return (await takeImmediate(platform.context, durations)).map((job) => job.id);
    };
    expect(await takenAt(0, 60_000)).to.deep.equal([]);
    expect(await takenAt(300, 60_000)).to.deep.equal([]);
    expect(await takenAt(300, 0)).to.deep.equal([id]);
    expect(await takenAt(60_300, 60_000)).to.deep.equal([id]);
  });

  it('moves no watermark beyond a job that is pending, however old it is', async () => {
    const [immediate, delayed] = [60, 50].map((seconds) =>
      lowestJobId(new Date(Date.now() - seconds * 1_000)),
    );
    await platform.query(
      `insert into job (id, operation, agent_id, root_id, input, input_hash, request_id, run_at,
                        push_after)
       select id, 'purchase_product', 0, 0, '{}', '', 'r', run_at, now() + interval '1 hour'
         from (values ($1::uuid, null), ($2, now() - interval '40 s')) as job(id, run_at)`,
      [immediate, delayed],
    );
    await moveWatermarks(platform.context);
    const below = await platform.query(
      `select job.id from job, dispatch_watermark w
        where job.run_at is null and job.id < w.id or job.run_at < w.at`,
    );
    expect(below).to.deep.equal([]);
    const moved = await platform.query(
      `select scan from dispatch_watermark
        where id = $1 or at > now() - interval '41 s' order by scan`,
      [immediate],
    );
    expect(moved).to.deep.equal([{ scan: 'delayed' }, { scan: 'immediate' }]);
  });

  it('takes no row that another dispatcher holds', async () => {
    const { context } = platform;
    const immediate = (await buy(platform, market, { wait: 0 }))!.body.job_id as string;
    const [delayed] = await buyWithoutRedis(1);
    await platform.query(`update job set created_at = now() - interval '1 hour' where id = $1`, [
      immediate,
    ]);
    const blocked = () =>
      platform.query(
        `select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
      );
    for (const take of [takeImmediate, takeDelayed]) {
      let isDone = false;
      const taken = transact(context.database, async (db) => {
        await db.query('select from job where id = any ($1) for update', [[immediate, delayed]]);
        const rows = take(context, '{}').finally(() => (isDone = true));
        await eventually(blocked, ({ length }) => isDone || length > 0);
        expect(isDone, 'without waiting').to.equal(true);
        return rows;
      });
      expect((await taken).filter(({ id }) => [immediate, delayed].includes(id))).to.deep.equal([]);
    }
  });

  it('pushes what Redis lost at once, and not what a worker has in hand', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      ids.push((await buy(platform, market, { wait: 0 }))!.body.job_id);
    }
    // By its time, too: one was pushed, and the worker of the other asks an outside system.
    await platform.query(
      `update job set run_at = now() + interval '20 s', push_after = case when id = $1 then now() end
        where id = any ($2)`,
      [ids[1], ids.slice(1)],
    );
    await forgetPushes(platform.context);
    const due = await platform.query(
      `select id from job where id = any ($1) and run_at <= now() order by id`,
      [ids],
    );
    expect(due).to.deep.equal(ids.slice(0, 2).map((id) => ({ id })));
  });

  it('is quiet where nothing happens: two statements a second, that write nothing', async function () {
    this.timeout(120_000); // a round of timers comes first
    // Jobs of the test before, that are due soon.
    await platform.query(`delete from job where status = 'pending' and run_at > now()`);
    let statements = 0;
    const { reserved } = platform.context;
    const counting = new Proxy(reserved, {
      get(target, name, receiver) {
        if (name === 'query' || name === 'createQueryRunner') statements += 1;
        return Reflect.get(target, name, receiver);
      },
    });
    const context = { ...platform.context, reserved: counting };
    await platform.resumeWorkers();
    const dispatcher = startDispatcher(context, platform.prefix);
    // A timer may begin meanwhile: then the next seconds count.
    await eventually(
      async () => {
        const [from, before] = [performance.now(), statements];
        await eventually(
          async () => performance.now() - from,
          (ms) => ms >= 2_000,
        );
        return { made: statements - before, seconds: (performance.now() - from) / 1_000 };
      },
      ({ made, seconds }) => made > 0 && made <= 3 * seconds,
    );
    await dispatcher.stop();
  });
});
