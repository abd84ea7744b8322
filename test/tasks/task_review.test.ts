import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { expectRefusal, OPERATOR_TOKEN } from '../orders/deal.ts';
import { runTimer } from '../orders/trade.ts';
import { act, done, fallDue, fundsOf, hire, newsOf, openJob, submit, taskAs } from './board.ts';
import type { Job } from './board.ts';

describe('work under review', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  /** Work for $0.80 of $1 that waits to be judged. */
  async function underReview(): Promise<Job> {
    const job = await openJob(platform);
    await hire(platform, job, 0.8);
    done(await submit(platform, { taskId: job.taskId, ...job.worker }));
    return job;
  }
  const byPoster = ({ taskId, poster }: Job, action: string, body: object = {}) =>
    act(platform, action, { taskId, key: poster.key }, body);
  const reject = (job: Job) => byPoster(job, 'reject', { reason: 'That is a lake.' });
  const revise = (job: Job) => byPoster(job, 'revision', { note: 'A larger one.' });
  const dispute = ({ taskId, worker }: Job) =>
    act(platform, 'dispute', { taskId, key: worker.key }, { reason: 'It is salty.' });
  const decide = (taskId: number, body: object) =>
    platform.request(`POST /api/v1/admin/disputes/task/${taskId}/verdict`, {
      key: OPERATOR_TOKEN,
      body: { note: 'I have tasted it.', ...body },
    });
  async function disputed(): Promise<Job> {
    const job = await underReview();
    done(await reject(job));
    done(await dispute(job));
    return job;
  }

  const nameOf = async ({ id }: { id: number }) =>
    (await platform.query('select username from agent where id = $1', [id]))[0].username;

  it('goes back to its worker twice at most, who has time to do it again', async () => {
    const job = await underReview();
    const { taskId, worker, poster } = job;
    for (let round = 0; round < 2; round += 1) {
      await platform.query(
        `update task set due_at = now() + interval '1 minute',
                         review_deadline = now() + interval '1 minute' where id = $1`,
        [taskId],
      );
      const asked = done(await revise(job));
      expect(asked.status).to.equal('revision_requested');
      expect(Date.parse(asked.due_at) - Date.now()).to.be.above(71 * 3_600_000);
      expect((await taskAs(platform, worker, taskId)).available_actions).to.deep.equal([
        'task_submit',
        'task_give_back',
      ]);
      expectRefusal(await byPoster(job, 'approve'), 409, 'invalid_transition');
      done(await submit(platform, { taskId, ...worker }));
      const { review_deadline } = await taskAs(platform, worker, taskId);
      expect(Date.parse(review_deadline) - Date.now()).to.be.above(71 * 3_600_000);
    }
    expectRefusal(await revise(job), 409, 'invalid_transition');
    const { available_actions } = await taskAs(platform, poster, taskId);
    expect(available_actions).to.include('task_reject').and.not.include('task_request_revision');
    const { body } = await platform.request(`GET /api/v1/tasks/${taskId}/submissions`, worker);
    expect(body.submissions[1]).to.deep.include({
      status: 'superseded',
      review: { untrusted: true, content: 'A larger one.' },
    });
    done(await byPoster(job, 'approve'));
    expect((await fundsOf(platform, worker))[0]).to.deep.equal([0.3, 1, 0]);
  });

  it('is not submitted anew, and has no more time to be judged then', async () => {
    const { taskId, worker } = await underReview();
    const { review_deadline } = await taskAs(platform, worker, taskId);
    expectRefusal(await submit(platform, { taskId, ...worker }), 409, 'invalid_transition');
    expect(await taskAs(platform, worker, taskId)).to.include({ review_deadline });
  });

  it('expires when its worker does not revise it in time', async () => {
    const job = await underReview();
    done(await revise(job));
    await fallDue(platform, job.taskId);
    await runTimer(platform, 'settle_due_tasks');
    expect(await taskAs(platform, job.poster, job.taskId)).to.include({ status: 'expired' });
    expect(await fundsOf(platform, job.poster)).to.deep.equal([[5, 0.5, 0]]);
  });

  it('is refunded when it was rejected and nobody disputes that in 48 hours', async () => {
    const job = await underReview();
    const rejected = done(await reject(job));
    const [deadline] = rejected.deadlines;
    expect(Date.parse(deadline.at) - Date.now()).to.be.within(47 * 3_600_000, 48 * 3_600_000);
    expect(deadline.happens).to.equal('The budget goes back to its poster.');
    expectRefusal(await byPoster(job, 'approve'), 409, 'invalid_transition');
    await fallDue(platform, job.taskId);
    expectRefusal(await dispute(job), 409, 'invalid_transition');
    await runTimer(platform, 'settle_due_tasks');
    const task = await taskAs(platform, job.worker, job.taskId);
    expect(task).to.include({ status: 'refunded', paid: 0 });
    expect(await fundsOf(platform, job.poster)).to.deep.equal([[5, 0.5, 0]]);
    expect(await newsOf(platform, job.worker)).to.include.members([
      'task.rejected',
      'task.refunded',
    ]);
  });

  it('cannot be rejected or given back once its review is over, only approved', async () => {
    const job = await underReview();
    await fallDue(platform, job.taskId);
    expectRefusal(await reject(job), 409, 'invalid_transition');
    expectRefusal(await revise(job), 409, 'invalid_transition');
    done(await byPoster(job, 'approve'));
  });

  it('is disputed by its worker alone, and judged by its poster alone', async () => {
    const job = await underReview();
    const { taskId, worker } = job;
    for (const action of ['reject', 'revision']) {
      const text = { reason: 'No.', note: 'No.' };
      const [field] = action === 'reject' ? ['reason' as const] : ['note' as const];
      const reply = await act(
        platform,
        action,
        { taskId, key: worker.key },
        { [field]: text[field] },
      );
      expectRefusal(reply, 403, 'forbidden');
    }
    expectRefusal(await dispute(job), 409, 'invalid_transition');
    done(await reject(job));
    expectRefusal(await byPoster(job, 'dispute', { reason: 'Mine.' }), 403, 'forbidden');
  });

  it('stays in escrow while it is disputed, and is shown to operators with both sides', async () => {
    const job = await disputed();
    expectRefusal(await byPoster(job, 'approve'), 409, 'invalid_transition');
    expectRefusal(await dispute(job), 409, 'invalid_transition');
    await fallDue(platform, job.taskId);
    await runTimer(platform, 'settle_due_tasks');
    expect(await fundsOf(platform, job.poster)).to.deep.equal([[4.5, 0, 1]]);
    const { body } = await platform.request('GET /api/v1/admin/disputes/tasks', {
      key: OPERATOR_TOKEN,
    });
    const shown = body.disputes.find(({ task_id }: { task_id: number }) => task_id === job.taskId);
    expect(shown).to.deep.include({
      poster_username: await nameOf(job.poster),
      worker_id: job.worker.id,
      worker_username: await nameOf(job.worker),
      bid_amount: 0.8,
      review: { untrusted: true, content: 'That is a lake.' },
      reason: { untrusted: true, content: 'It is salty.' },
    });
    const outsider = await platform.agent();
    expect(await taskAs(platform, outsider, job.taskId)).not.to.have.property('dispute');
  });

  for (const { verdict, worker_amount, status, funds } of [
    {
      verdict: 'approve',
      status: 'approved',
      funds: [
        [4.7, 0, 0],
        [0.3, 1, 0],
      ],
    },
    {
      verdict: 'refund',
      status: 'refunded',
      funds: [
        [5, 0.5, 0],
        [0, 0.5, 0],
      ],
    },
    {
      verdict: 'split',
      worker_amount: 0.3,
      status: 'partially_refunded',
      funds: [
        [5, 0.2, 0],
        [0, 0.8, 0],
      ],
    },
  ]) {
    it(`ends as an operator decides: ${verdict}`, async () => {
      const job = await disputed();
      const { taskId, poster, worker } = job;
      for (const wrong of [{ verdict, worker_amount: 0.8 }, { verdict: 'split' }]) {
        expectRefusal(await decide(taskId, wrong), 422, 'validation_error');
      }
      const body = { verdict, ...(worker_amount && { worker_amount }) };
      const replies = await Promise.all([1, 2].map(() => decide(taskId, body)));
      expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).to.deep.equal([
        200, 409,
      ]);
      const task = await taskAs(platform, worker, taskId);
      expect(task).to.deep.include({ status, available_actions: [] });
      expect(task.dispute).to.deep.include({ verdict, note: 'I have tasted it.' });
      expectRefusal(await dispute(job), 409, 'invalid_transition');
      expect(await fundsOf(platform, poster, worker)).to.deep.equal(funds);
    });
  }
});
