import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { expectRefusal } from '../orders/deal.ts';
import { act, bidOn, done, hire, openJob, openTask, submit, taskAs } from './board.ts';

interface Listed {
  readonly task_id: number;
  readonly status: string;
}

describe('the task board', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const list = async (path: string, { key }: { key: string }) =>
    done(await platform.request(`GET /api/v1/tasks${path}`, { key }));
  const ids = (tasks: Listed[]) => tasks.map(({ task_id }) => task_id);

  it('lists open tasks, newest first, by category, words and status, in pages', async () => {
    const poster = await platform.agent({ usd: 5 });
    const reader = await platform.agent();
    const fields = { category: 'geography', budget: 0.01 };
    const seas = await openTask(platform, poster, { ...fields, title: 'Count all seas' });
    const lakes = await openTask(platform, poster, {
      ...fields,
      title: 'Geography of water',
      description: 'Describe lakes and rivie\u0300\u00adres',
    });
    const other = await openTask(platform, poster, { budget: 0.01, title: 'Count seas at night' });
    const ended = await openTask(platform, poster, { ...fields, title: 'Seas of the moon' });
    await act(platform, 'cancel', { taskId: ended, key: poster.key });

    const found = async (query: string) => ids((await list(`?${query}`, reader)).tasks);
    expect(await found('category=geography')).to.deep.equal([lakes, seas]);
    expect(await found('query=sea')).to.deep.equal([other, seas]);
    expect(await found('query=seas+-night')).to.deep.equal([seas]);
    expect(await found('category=geography&query=lake')).to.deep.equal([lakes]);
    for (const query of ['rivi\u00e8res', 'rivie\u0300res', 'ri\u200bvi\u00e8res']) {
      expect(await found(`query=${encodeURIComponent(query)}`)).to.deep.equal([lakes]);
    }
    expect(await found('status=cancelled&query=seas')).to.deep.equal([ended]);
    expect(await found('category=unknown')).to.deep.equal([]);
    const first = await list('?category=geography&limit=1', reader);
    expect([first.has_more, ...ids(first.tasks)]).to.deep.equal([true, lakes]);
    const cursor = `&cursor=${first.next_cursor}`;
    const second = await list(`?category=geography&limit=1${cursor}`, reader);
    expect([second.has_more, ...ids(second.tasks)]).to.deep.equal([false, seas]);
  });

  it("shows among one's own tasks those that one posted or bid on, and of others no work", async () => {
    const { poster, worker, taskId } = await openJob(platform);
    const [other, idle] = await Promise.all([platform.agent(), platform.agent()]);
    for (const { key } of [worker, other]) {
      done(await bidOn(platform, { taskId, key }, 0.5));
      done(await submit(platform, { taskId, key }));
    }
    const mine = async (agent: { key: string }) =>
      (await list('/mine', agent)).tasks.map(
        (task: Listed & { submissions: { worker_id: number }[] }) => ({
          id: task.task_id,
          workers: task.submissions.map(({ worker_id }) => worker_id),
        }),
      );
    expect(await mine(poster)).to.deep.equal([{ id: taskId, workers: [other.id, worker.id] }]);
    expect(await mine(worker)).to.deep.equal([{ id: taskId, workers: [worker.id] }]);
    expect(await mine(other)).to.deep.equal([{ id: taskId, workers: [other.id] }]);
    expect(await mine(idle)).to.deep.equal([]);

    await platform.query(
      `insert into submission (call_id, task_id, bid_id, result, result_hash, superseded_at)
       select gen_random_uuid(), s.task_id, bid_id, s.result, s.result_hash, now()
         from submission s join bid on bid.id = s.bid_id, generate_series(1, 18)
        where s.task_id = $1 and bid.bidder_id = $2`,
      [taskId, worker.id],
    );
    const at = { taskId, key: worker.key };
    done(await submit(platform, at));
    expectRefusal(await submit(platform, at), 409, 'invalid_transition');
  });

  it('takes bids up to the budget, which may be changed and not raised', async () => {
    const { poster, worker, taskId } = await openJob(platform);
    const at = { taskId, key: worker.key };
    expectRefusal(await bidOn(platform, at, 1.000001), 422, 'validation_error');
    const proposal = '  Ask me.\u202e\n';
    const bid = done(
      await act(platform, 'bids', at, { bid_amount: 0.9, proposal, eta_minutes: 5 }),
    );
    expect(bid).to.include({ bid_amount: 0.9, eta_minutes: 5, status: 'live' });
    expect(bid.proposal).to.deep.equal({ untrusted: true, content: proposal });
    expectRefusal(await bidOn(platform, at, 0.91), 422, 'validation_error');
    const lower = done(await bidOn(platform, at, 0.7));
    expect(lower).to.include({ bid_id: bid.bid_id, bid_amount: 0.7, eta_minutes: 5 });
    expect((await taskAs(platform, poster, taskId)).bids_count).to.equal(1);

    const rival = await platform.agent();
    done(await bidOn(platform, { taskId, ...rival }, 0.5));
    const bidders = async (agent: { key: string }) =>
      (await list(`/${taskId}/bids`, agent)).bids.map((each: typeof bid) => each.bidder_id);
    expect(await bidders(poster)).to.deep.equal([rival.id, worker.id]);
    expect(await bidders(worker)).to.deep.equal([worker.id]);
    expect(await bidders(await platform.agent())).to.deep.equal([]);
  });

  it('has one worker once a bid is accepted, and the poster has no way back', async () => {
    const job = await openJob(platform);
    const { poster, worker, taskId } = job;
    const rival = await platform.agent();
    const other = done(await bidOn(platform, { taskId, ...rival }, 0.5));
    await hire(platform, job);
    const task = await taskAs(platform, worker, taskId);
    expect(task).to.include({ status: 'assigned', worker_id: worker.id, bid_amount: 0.8 });
    expect(task.available_actions).to.deep.equal(['task_submit', 'task_give_back']);
    for (const [action, key, code] of [
      ['cancel', poster.key, 'invalid_transition'],
      [`bids/${other.bid_id}/accept`, poster.key, 'invalid_transition'],
      ['approve', poster.key, 'invalid_transition'],
    ] as const) {
      const reply = await act(platform, action, { taskId, key });
      expect(reply.body.error, action).to.equal(code);
    }
    expectRefusal(await bidOn(platform, { taskId, ...rival }, 0.4), 409, 'invalid_transition');
    expectRefusal(await submit(platform, { taskId, ...rival }), 403, 'forbidden');
    expectRefusal(
      await act(platform, 'bids/2147483647/accept', { taskId, key: poster.key }),
      404,
      'not_found',
    );
  });

  it('tells both sides what to do next, and shows the poster what was submitted', async () => {
    const job = await openJob(platform);
    const { poster, worker, taskId } = job;
    const mine = async (agent: { key: string }) =>
      (await list('/mine', agent)).tasks.find((task: Listed) => task.task_id === taskId);
    expect(await mine(poster)).to.include({
      role: 'poster',
      next: 'Wait for bids and work, or cancel.',
    });
    expect(await mine(worker)).to.equal(undefined);
    await hire(platform, job);
    expect(await mine(poster)).to.include({ next: null });
    expect(await mine(worker)).to.include({
      role: 'worker',
      next: 'Do the work and submit it before due_at.',
    });
    const result = 'The Aral Sea.';
    await submit(platform, { taskId, ...worker }, result);
    const { submissions, ...task } = await mine(poster);
    expect(task).to.include({ next: 'Judge the work: it is approved at review_deadline.' });
    expect(task.available_actions).to.deep.equal([
      'task_bids',
      'task_submissions',
      'task_approve',
      'task_request_revision',
      'task_reject',
    ]);
    expect(submissions).to.have.length(1);
    expect(submissions[0].result).to.deep.equal({ untrusted: true, content: result });
    expect((await mine(worker)).submissions[0].result.content).to.equal(result);
    expect(task.deadlines).to.deep.equal([
      { at: task.review_deadline, happens: 'The work is approved and its worker is paid.' },
    ]);
  });
});
