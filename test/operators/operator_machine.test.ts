import { expect } from 'chai';

import { countedCalls } from '../../api/measured.ts';
import { audit } from '../../shared/composition/audit.ts';
import { startHeartbeat } from '../../shared/composition/machine/heartbeat.ts';
import { percentileMs } from '../../shared/domains/operators/machine/day.ts';
import { countedJobs } from '../../workers/worker.ts';
import { startSchedules } from '../../workers/schedules.ts';
import { OPERATOR_TOKEN } from '../access/scene.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { buy, meet, runTimer } from '../orders/trade.ts';

describe('the machine, as operators see it', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ env: { RELEASE: 'v1-of-the-test' } });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const read = async () => {
    const { status, body } = await platform.request('GET /api/v1/admin/machine', {
      key: OPERATOR_TOKEN,
    });
    expect(status).to.equal(200);
    return body;
  };
  const sumOf = (day: Record<string, number>[], field: string) =>
    day.reduce((sum, bar) => sum + bar[field]!, 0);

  it('names a process while it runs, says when it is silent, and forgets one that ended', async () => {
    expect((await read()).processes).to.deep.equal([]);
    const heartbeat = startHeartbeat(platform.context, { role: 'worker', queues: ['money'] });
    await heartbeat.beat();
    const [running] = (await read()).processes;
    expect(running).to.deep.include({
      role: 'worker',
      state: 'running',
      pid: process.pid,
      release: 'v1-of-the-test',
      queues: ['money'],
    });
    expect(running.memory_mb).to.be.above(10);
    const queues = Object.fromEntries(
      (await read()).queues.map((one: { queue: string }) => [one.queue, one]),
    );
    expect(queues.money).to.include({ waiting: 0, active: 0, failing: 0 });
    expect(queues.bulk).to.include({ waiting: null, active: null, latency_ms: null });

    await platform.query(`update process set seen_at = now() - interval '61 seconds'`);
    expect((await read()).processes[0].state).to.equal('silent');
    const counts = (await read()).queues.map((one: { waiting: number | null }) => one.waiting);
    expect(new Set(counts)).to.deep.equal(new Set([null]));
    await platform.query(`update process set seen_at = now() - interval '59 minutes'`);
    expect((await read()).processes).to.have.length(1);
    await platform.query(`update process set seen_at = now() - interval '61 minutes'`);
    expect((await read()).processes).to.deep.equal([]);
    await heartbeat.beat();
    expect((await read()).processes[0].state).to.equal('running');
    await heartbeat.stop();
    expect((await read()).processes).to.deep.equal([]);
  });

  it('counts calls and jobs once, in the half-hour in which they were', async () => {
    const api = startHeartbeat(platform.context, { role: 'api', counted: countedCalls });
    const worker = startHeartbeat(platform.context, {
      role: 'worker',
      queues: ['money'],
      counted: countedJobs,
    });
    await api.beat();
    await worker.beat();
    const before = (await read()).day;
    expect(before).to.have.length(48);
    const calls = await countedCalls();
    const { jobs } = await countedJobs();
    const { buyer, product } = await meet(platform, { items: ['a'] });
    await buy(platform, buyer, product);
    const [more, moreJobs] = [await countedCalls(), await countedJobs()];
    expect(more.calls).to.be.above(calls.calls);
    for (let times = 0; times < 2; times += 1) {
      await api.beat();
      await worker.beat();
    }
    const { day } = await read();
    // Reading it is a call too.
    expect(sumOf(day, 'calls') - sumOf(before, 'calls')).to.be.within(
      more.calls - calls.calls,
      more.calls - calls.calls + 1,
    );
    expect(sumOf(day, 'jobs') - sumOf(before, 'jobs')).to.equal(moreJobs.jobs - jobs);
    const last = day.findLast((bar: { calls: number }) => bar.calls > 0);
    expect(last.p99_ms).to.be.at.least(last.p50_ms).and.above(0);
    await Promise.all([api.stop(), worker.stop()]);
  });

  it('shows the last day alone, and keeps two', async () => {
    const insert = (ago: string) =>
      platform.query(
        `insert into machine_minute values (date_trunc('minute', now()) - $1::interval, 1000, 1000,
           array_fill(0::bigint, array[13]), 0, 0, 7, 3)`,
        [ago],
      );
    const before = (await read()).day;
    await insert('26 hours');
    await insert('49 hours');
    expect(sumOf((await read()).day, 'faults')).to.equal(sumOf(before, 'faults'));
    await insert('23 hours');
    expect(sumOf((await read()).day, 'faults')).to.equal(sumOf(before, 'faults') + 1_000);
    await runTimer(platform, 'forget_old_rows');
    const [{ count }] = await platform.query(
      'select count(*)::int from machine_minute where calls = 1000',
    );
    expect(count).to.equal(2);
  });

  it('says when each timer ran and runs next, with its last fault', async () => {
    const timerOf = async (name: string) =>
      (await read()).schedules.find((one: { operation: string }) => one.operation === name);
    expect(await timerOf('release_due_orders')).to.include({
      every_seconds: 60,
      last_run_at: null,
      fault: null,
      failed_rows: 0,
    });
    await startSchedules(platform.context, new Map());
    const ran = await eventually(
      () => timerOf('release_due_orders'),
      ({ finished_at: at }) => at !== null,
    );
    expect(Date.parse(ran.next_run_at)).to.be.above(Date.parse(ran.last_run_at));
    expect(Date.parse(ran.finished_at)).to.be.at.least(Date.parse(ran.last_run_at));
    await platform.query(
      `update job set fault = 'a fault of the test' where operation = 'expire_approvals'
          and status = 'pending'`,
    );
    await platform.query(
      `insert into sweep_fault (operation, row_id, fault, next_at)
       values ('release_due_orders', 1, 'It is broken.', now() + interval '1 hour')`,
    );
    expect(await timerOf('release_due_orders')).to.include({ failed_rows: 1 });
    await platform.query('delete from sweep_fault');
  });

  it('takes a percentile from the bounds between which the calls were', () => {
    const counts = Array.from({ length: 13 }, () => 0);
    expect(percentileMs(counts, 0.5)).to.equal(null);
    const with100 = counts.with(2, 100);
    expect(percentileMs(with100, 0.5)).to.equal(3.8); // halfway from 2.5 ms to 5 ms
    expect(percentileMs(with100, 1)).to.equal(5);
    expect(percentileMs(with100.with(12, 1), 0.99)).to.be.at.most(5);
    expect(percentileMs(counts.with(12, 1), 0.99)).to.equal(30_000);
  });
});
