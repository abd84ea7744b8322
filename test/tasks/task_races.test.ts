import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform, type Reply } from '../harness.ts';
import { untilWaiting } from '../in_queue.ts';
import { runTimer } from '../orders/trade.ts';
import { act, bidOn, done, fallDue, fundsOf, hire, openJob, submit, taskAs } from './board.ts';
import type { Job } from './board.ts';

const ROUNDS = 3;

describe('a task that everybody pulls at', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  /** Makes these calls at once, each three times; how often each had its way. */
  async function pull(...calls: (() => Promise<Reply>)[]): Promise<number[]> {
    const all = calls.flatMap((call, n) => [1, 2, 3].map(() => ({ call, n })));
    const mixed = all.toSorted(() => Math.random() - 0.5);
    const replies = await Promise.all(mixed.map(({ call }) => call()));
    const won = calls.map(() => 0);
    replies.forEach(({ status, text }, m) => {
      expect(status, text).to.be.oneOf([200, 409]);
      if (status === 200) won[mixed[m]!.n]! += 1;
    });
    return won;
  }
  const byPoster =
    ({ taskId, poster }: Job, action: string, body: object = {}) =>
    () =>
      act(platform, action, { taskId, key: poster.key }, body);
  const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);

  it('is approved, cancelled or given to a bidder, once', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const job = await openJob(platform);
      const { taskId, poster, worker } = job;
      const { bid_id } = done(await bidOn(platform, { taskId, ...worker }, 1));
      done(await submit(platform, { taskId, ...worker }));
      const won = await pull(
        byPoster(job, 'approve'),
        byPoster(job, 'cancel', { reason: 'No.' }),
        byPoster(job, `bids/${bid_id}/accept`),
      );
      expect(sum(won)).to.equal(1);
      const { status } = await taskAs(platform, poster, taskId);
      expect(status).to.equal(['approved', 'cancelled', 'assigned'][won.indexOf(1)]);
      expect((await fundsOf(platform, worker))[0]).to.deep.equal(
        status === 'approved' ? [0.5, 1, 0] : [0, 0.5, 0],
      );
    }
  });

  it('is approved by its poster or by the timer, and pays once', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const job = await openJob(platform);
      await hire(platform, job, 1);
      done(await submit(platform, { taskId: job.taskId, ...job.worker }));
      await fallDue(platform, job.taskId);
      const [won] = await Promise.all([
        pull(byPoster(job, 'approve'), byPoster(job, 'reject', { reason: 'No.' })),
        runTimer(platform, 'settle_due_tasks'),
      ]);
      expect(won[0]).to.be.at.most(1);
      expect(won[1]).to.equal(0);
      expect((await fundsOf(platform, job.worker))[0]).to.deep.equal([0.5, 1, 0]);
    }
  });

  it('is not refunded by the timer when its poster has rejected the work a moment ago', async () => {
    const job = await openJob(platform);
    await hire(platform, job, 1);
    done(await submit(platform, { taskId: job.taskId, ...job.worker }));
    await fallDue(platform, job.taskId);
    const rejecting = platform.context.database.createQueryRunner();
    await rejecting.startTransaction();
    await rejecting.query(
      `update task set status = 'rejected', dispute_by = now() + interval '2 days' where id = $1`,
      [job.taskId],
    );
    const settled = runTimer(platform, 'settle_due_tasks');
    await untilWaiting(platform, 1);
    await rejecting.commitTransaction();
    await rejecting.release();
    expect(await settled).to.deep.equal([{ settled: 0, failed: 0 }]);
    expect(await taskAs(platform, job.worker, job.taskId)).to.include({ status: 'rejected' });
  });

  it('pays one of two who submit the right result at the same time', async () => {
    const expected_hash = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    for (let round = 0; round < ROUNDS; round += 1) {
      const job = await openJob(platform, { verification_type: 'hash', expected_hash });
      const rival = await platform.agent();
      const { taskId, worker, poster } = job;
      const won = await pull(
        ...[worker, rival].map((agent) => () => submit(platform, { taskId, ...agent }, 'abc')),
        byPoster(job, 'cancel'),
      );
      expect(sum(won)).to.equal(1);
      const funds = (await fundsOf(platform, worker, rival, poster)).map(([cash, credit]) =>
        Number((cash! + credit!).toFixed(6)),
      );
      expect(funds).to.deep.equal([0.5 + won[0]!, 0.5 + won[1]!, 4.5 + won[2]!]);
    }
  });
});
