import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { expectRefusal } from '../orders/deal.ts';
import { act, bidOn, done, fundsOf, hire, newsOf, openJob, submit, taskAs } from './board.ts';
import type { Agent, Job } from './board.ts';

describe('who leaves a task', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const as = ({ key }: Agent, { taskId }: Job, action: string, body: object = {}) =>
    act(platform, action, { taskId, key }, body);
  const byPoster = (job: Job, action: string, body: object = {}) =>
    as(job.poster, job, action, body);
  /** Asks for work of the worker so many minutes earlier. */
  const waited = (taskId: number, minutes: number) =>
    platform.query(
      `update task set awaited_since = awaited_since - make_interval(mins => $2) where id = $1`,
      [taskId, minutes],
    );
  const bidsOf = async ({ poster, taskId }: Job) =>
    done(await platform.request(`GET /api/v1/tasks/${taskId}/bids`, poster)).bids;

  it('withdraws a bid with its work, and may bid anew for more', async () => {
    const job = await openJob(platform);
    const { worker, poster, taskId } = job;
    const { bid_id } = done(await bidOn(platform, { taskId, ...worker }, 0.5));
    done(await submit(platform, { taskId, ...worker }));
    expect((await taskAs(platform, worker, taskId)).available_actions).to.deep.equal([
      'task_bid',
      'task_submit',
      'task_withdraw_bid',
    ]);
    expect(done(await as(worker, job, 'bids/withdraw')).status).to.equal('withdrawn');
    expect(await taskAs(platform, poster, taskId)).to.deep.include({
      bids_count: 0,
      submissions_count: 0,
      available_actions: ['task_cancel'],
    });
    expectRefusal(await byPoster(job, `bids/${bid_id}/accept`), 409, 'invalid_transition');
    expectRefusal(await byPoster(job, 'approve'), 409, 'invalid_transition');
    expectRefusal(await as(worker, job, 'bids/withdraw'), 409, 'invalid_transition');
    const outsider = await platform.agent();
    expectRefusal(await as(outsider, job, 'bids/withdraw'), 404, 'not_found');
    const message = { task_id: taskId, to_agent_id: poster.id, text: 'Hello?' };
    const sent = await platform.request('POST /api/v1/messages', {
      key: worker.key,
      body: message,
    });
    expectRefusal(sent, 403, 'forbidden');

    done(await bidOn(platform, { taskId, ...worker }, 0.9));
    expect((await bidsOf(job)).map(({ status }: { status: string }) => status)).to.deep.equal([
      'live',
    ]);
    done(await byPoster(job, `bids/${bid_id}/accept`));
    expectRefusal(await as(worker, job, 'bids/withdraw'), 409, 'invalid_transition');
    expect((await taskAs(platform, poster, taskId)).bid_amount).to.equal(0.9);
  });

  it('gives work back, unpaid, and the others may have it', async () => {
    const job = await openJob(platform);
    const { worker, poster, taskId } = job;
    const other = await platform.agent();
    const { bid_id } = done(await bidOn(platform, { taskId, ...other }, 0.7));
    await hire(platform, job);
    done(await submit(platform, { taskId, ...worker }));
    expectRefusal(await as(worker, job, 'give_back'), 409, 'invalid_transition');
    done(await byPoster(job, 'revision', { note: 'A larger one.' }));
    expectRefusal(await as(other, job, 'give_back'), 403, 'forbidden');
    expectRefusal(await byPoster(job, 'give_back'), 403, 'forbidden');
    expect(done(await as(worker, job, 'give_back'))).to.include({
      status: 'open',
      worker_id: null,
      submission_id: null,
      role: 'other',
    });
    expect((await newsOf(platform, worker)).at(-1)).to.equal('task.unassigned');
    expect((await newsOf(platform, poster)).at(-1)).to.equal('task.unassigned');
    expect((await newsOf(platform, other)).slice(-2)).to.deep.equal([
      'bid.not_selected',
      'bid.restored',
    ]);
    expectRefusal(await as(worker, job, 'give_back'), 403, 'forbidden');
    done(await byPoster(job, `bids/${bid_id}/accept`));
    done(await submit(platform, { taskId, ...other }));
    done(await byPoster(job, 'approve'));
    expect(await fundsOf(platform, worker, other)).to.deep.equal([
      [0, 0.5, 0],
      [0.2, 1, 0],
    ]);
  });

  for (const [minutes, eta, what] of [
    [160, 100, 'an hour more than its estimate'],
    [900, 600, 'half as much again as its estimate'],
    [36 * 60, undefined, '36 hours without an estimate'],
  ] as const) {
    it(`is replaced when silent for ${what}, and not before`, async () => {
      const job = await openJob(platform);
      const { worker, poster, taskId } = job;
      const estimate = eta === undefined ? {} : { eta_minutes: eta };
      const bid = done(await as(worker, job, 'bids', { bid_amount: 0.8, ...estimate }));
      done(await byPoster(job, `bids/${bid.bid_id}/accept`));
      await waited(taskId, minutes - 1);
      const reply = await byPoster(job, 'replace_worker');
      expectRefusal(reply, 409, 'invalid_transition');
      const { replaceable_at: at, available_actions: before } = await taskAs(
        platform,
        poster,
        taskId,
      );
      expect(reply.body.details.replaceable_at).to.equal(at);
      expect(before).to.deep.equal(['task_bids']);
      await waited(taskId, 1);
      expectRefusal(await as(worker, job, 'replace_worker'), 403, 'forbidden');
      expect((await taskAs(platform, poster, taskId)).available_actions).to.deep.equal([
        'task_bids',
        'task_replace_worker',
      ]);
      expect(done(await byPoster(job, 'replace_worker'))).to.include({
        status: 'open',
        worker_id: null,
        replaceable_at: null,
      });
      expect((await newsOf(platform, worker)).at(-1)).to.equal('task.unassigned');
      // It lost its place, and is no worse off than others.
      done(await bidOn(platform, { taskId, ...worker }, 0.8));
      done(await byPoster(job, 'cancel'));
      expect(await fundsOf(platform, poster)).to.deep.equal([[5, 0.5, 0]]);
    });
  }

  it('is not replaced while its work is judged, and has its time anew for a revision', async () => {
    const job = await openJob(platform);
    const { worker, taskId } = job;
    await hire(platform, job);
    await waited(taskId, 10_000);
    done(await submit(platform, { taskId, ...worker }));
    expectRefusal(await byPoster(job, 'replace_worker'), 409, 'invalid_transition');
    done(await byPoster(job, 'revision', { note: 'A larger one.' }));
    expectRefusal(await byPoster(job, 'replace_worker'), 409, 'invalid_transition');
    await waited(taskId, 36 * 60);
    done(await byPoster(job, 'replace_worker'));
  });

  it('gives it back or is replaced, once', async () => {
    for (let round = 0; round < 3; round += 1) {
      const job = await openJob(platform);
      const { worker, taskId, poster } = job;
      await hire(platform, job);
      await waited(taskId, 10_000);
      const replies = await Promise.all([
        as(worker, job, 'give_back'),
        byPoster(job, 'replace_worker'),
        submit(platform, { taskId, ...worker }),
      ]);
      const won = replies.filter(({ status }) => status === 200);
      // Work may also be submitted, unasked, to the task that is open again.
      expect(won.length).to.be.oneOf([1, 2]);
      const { bids_count: bids } = await taskAs(platform, poster, taskId);
      expect(await bidsOf(job)).to.have.length(1);
      expect(bids).to.be.oneOf([0, 1]);
    }
  });
});
