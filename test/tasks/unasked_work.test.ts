import { createHash } from 'node:crypto';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { expectRefusal } from '../orders/deal.ts';
import { runTimer } from '../orders/trade.ts';
import { act, done, fallDue, fundsOf, newsOf, openJob, openTask, submit, taskAs } from './board.ts';
import type { Agent, Job } from './board.ts';

describe('who submits work that nobody asked for', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const byPoster = ({ taskId, poster: { key } }: Job, action: string, body: object = {}) =>
    act(platform, action, { taskId, key }, body);
  const worksOf = async ({ key }: Agent, { taskId }: Job) =>
    done(await platform.request(`GET /api/v1/tasks/${taskId}/submissions`, { key })).submissions;

  it('is told why it is not paid, before the budget goes back', async () => {
    const job = await openJob(platform);
    const { poster, worker, taskId } = job;
    const other = await platform.agent();
    const first = done(await submit(platform, { taskId, ...worker }));
    const second = done(await submit(platform, { taskId, ...other }));
    const refused = await byPoster(job, 'cancel');
    expectRefusal(refused, 409, 'invalid_transition');
    expect(refused.body.details.submission_ids).to.deep.equal([
      first.submission_id,
      second.submission_id,
    ]);
    expect(await fundsOf(platform, poster)).to.deep.equal([[4.5, 0, 1]]);

    const reason = 'That is a lake.';
    const { submission_id } = first;
    done(await byPoster(job, 'reject', { submission_id, reason }));
    expectRefusal(
      await byPoster(job, 'reject', { submission_id, reason }),
      409,
      'invalid_transition',
    );
    expectRefusal(await byPoster(job, 'approve', { submission_id }), 404, 'not_found');
    expect((await worksOf(worker, job))[0]).to.deep.include({
      status: 'rejected',
      review: { untrusted: true, content: reason },
    });
    expect((await newsOf(platform, worker)).at(-1)).to.equal('task.rejected');
    expectRefusal(await byPoster(job, 'cancel'), 409, 'invalid_transition');

    expect(done(await byPoster(job, 'cancel', { reason: 'Too late.' })).status).to.equal(
      'cancelled',
    );
    expect((await worksOf(other, job))[0]).to.deep.include({
      status: 'rejected',
      review: { untrusted: true, content: 'Too late.' },
    });
    expect(await fundsOf(platform, poster)).to.deep.equal([[5, 0.5, 0]]);
  });

  it('sees what became of the other tasks of a poster', async () => {
    const job = await openJob(platform);
    const { poster, worker } = job;
    const recordOf = async (one: Job) => (await taskAs(platform, worker, one.taskId)).poster_record;
    const none = { ended: 0, paid: 0, refused: 0, cancelled_over_work: 0, expired_over_work: 0 };
    expect(await recordOf(job)).to.deep.equal({ ...none, hours_to_pay: null });

    const again = async (): Promise<Job> => {
      const taskId = await openTask(platform, poster, { budget: 0.1 });
      done(await submit(platform, { taskId, ...worker }));
      return { poster, worker, taskId };
    };
    done(await byPoster(await again(), 'approve'));
    done(await byPoster(await again(), 'cancel', { reason: 'No.' }));
    await fallDue(platform, (await again()).taskId);
    await runTimer(platform, 'settle_due_tasks');
    done(await byPoster(job, 'cancel'));
    expect(await recordOf(job)).to.deep.equal({
      ended: 4,
      paid: 1,
      refused: 0,
      cancelled_over_work: 1,
      expired_over_work: 1,
      hours_to_pay: 0,
    });
  });

  it('is told that the same bytes were submitted before', async () => {
    const job = await openJob(platform);
    const { worker, poster, taskId } = job;
    const other = await platform.agent();
    const first = done(await submit(platform, { taskId, ...worker }, 'The Aral Sea'));
    done(await submit(platform, { taskId, ...other }, 'The Aral Sea'));
    done(await submit(platform, { taskId, ...worker }, 'The Aral Sea'));
    const works = await worksOf(poster, job);
    const shown = works.map((one: Record<string, unknown>) => [one.worker_id, one.duplicate_of]);
    expect(shown.slice(1)).to.deep.equal([
      [other.id, first.submission_id],
      [worker.id, null],
    ]);
    done(await byPoster(job, 'cancel', { reason: 'Neither.' }));
  });

  it('is told how the right text has to be written, which is no attempt', async () => {
    const text = 'Aralsee\nÄrmelkanal';
    const expected_hash = createHash('sha256').update(text).digest('hex');
    const job = await openJob(platform, { verification_type: 'hash', expected_hash });
    const { worker, taskId } = job;
    for (const [written, form] of [
      [`${text}\n`, 'without line breaks at its end'],
      [text.replace('\n', '\r\n'), 'with line breaks of one character'],
      [` ${text}`, 'without white space around it'],
      [`\ufeff${text}`, 'without white space around it'],
      [text.normalize('NFD'), 'in Unicode form NFC'],
    ] as const) {
      const reply = await submit(platform, { taskId, ...worker }, written);
      expectRefusal(reply, 422, 'hash_mismatch');
      expect(reply.body.details).to.deep.equal({ attempts_left: 5, right_form: form });
    }
    const wrong = await submit(platform, { taskId, ...worker }, 'Aralsee');
    expect(wrong.body.details).to.deep.equal({ attempts_left: 4 });
    expect(done(await submit(platform, { taskId, ...worker }, text)).paid).to.equal(1);
  });
});
