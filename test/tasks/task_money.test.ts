import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { expectRefusal } from '../orders/deal.ts';
import { runTimer, runSweep } from '../orders/trade.ts';
import { setPolicy } from '../policy.ts';
import { act, bidOn, done, fallDue, fundsOf, hire, newsOf } from './board.ts';
import { openJob, openTask, post, submit, taskAs } from './board.ts';

describe('the money of a task', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  it('is in escrow from the start, credit first, and counts as spent', async () => {
    const { poster, taskId } = await openJob(platform, { description: 'Any sea.' });
    expect(await fundsOf(platform, poster)).to.deep.equal([[4.5, 0, 1]]);
    expect(await taskAs(platform, poster, taskId)).to.include({
      budget: 1,
      credit: 0.5,
      status: 'open',
      verification_type: 'manual',
      category: 'general',
      worker_id: null,
    });
    const { body } = await platform.request('GET /api/v1/wallet', { key: poster.key });
    expect(body.daily_spend).to.equal(1);
    expect(await newsOf(platform, poster)).to.deep.equal(['task.posted']);
  });

  it('is a type of its own for policies, which may name it', async () => {
    const owner = await platform.agent({ usd: 5 });
    const child = await childOf(platform, owner);
    await setPolicy(platform, child, { allowed_product_types: ['dataset'] });
    expectRefusal(await post(platform, child), 403, 'product_type_not_allowed');
    await setPolicy(platform, child, { allowed_product_types: ['dataset', 'task'] });
    done(await post(platform, child));
    expect(await fundsOf(platform, owner)).to.deep.equal([[4.5, 0, 1]]);
  });

  it('is not taken where the wallet or a policy does not allow it', async () => {
    const poor = await platform.agent();
    expectRefusal(await post(platform, poor, { budget: 0.51 }), 402, 'insufficient_balance');
    await setPolicy(platform, poor, { max_spend_per_tx: 100_000 });
    expectRefusal(await post(platform, poor, { budget: 0.2 }), 402, 'tx_limit_exceeded');
    expectRefusal(await post(platform, poor, { budget: 0.009 }), 422, 'validation_error');
    const past = { budget: 0.1, due_at: '2020-01-01T00:00:00Z' };
    expectRefusal(await post(platform, poor, past), 422, 'validation_error');
    expect(await fundsOf(platform, poor)).to.deep.equal([[0, 0.5, 0]]);
  });

  it('waits for an owner where a policy asks for one, and is taken when it is approved', async () => {
    const owner = await platform.agent({ usd: 5 });
    const child = await childOf(platform, owner);
    await setPolicy(platform, child, { approval_threshold: 100_000 });
    const asked = await post(platform, child, { budget: 0.2 });
    expect([asked.status, asked.body.status]).to.deep.equal([202, 'approval_required']);
    expect(await fundsOf(platform, owner)).to.deep.equal([[5, 0.5, 0]]);
    const route = `POST /api/v1/approvals/${asked.body.approval_id}/approve`;
    done(await platform.request(route, { key: owner.key }));
    const job = await platform.request(`GET ${asked.body.poll}?wait=20`, { key: child.key });
    expect(job.body.result).to.include({ status: 'open', poster_id: child.id });
    expect(await fundsOf(platform, owner)).to.deep.equal([[5, 0.3, 0.2]]);
  });

  it('is taken once for one Idempotency-Key, and comes back whole when it is cancelled', async () => {
    const poster = await platform.agent({ usd: 5 });
    const call = {
      key: poster.key,
      body: { title: 'Name a sea', budget: 1 },
      headers: { 'idempotency-key': 'sea' },
    };
    const replies = await Promise.all(
      [1, 2, 3].map(() => platform.request('POST /api/v1/tasks', call)),
    );
    const [taskId] = new Set(replies.map((reply) => done(reply).task_id as number));
    expect(await fundsOf(platform, poster)).to.deep.equal([[4.5, 0, 1]]);
    const cancelled = done(await act(platform, 'cancel', { taskId: taskId!, key: poster.key }));
    expect(cancelled).to.include({ status: 'cancelled', paid: 0 });
    expect(cancelled.available_actions).to.deep.equal([]);
    expect(await fundsOf(platform, poster)).to.deep.equal([[5, 0.5, 0]]);
    const { body } = await platform.request('GET /api/v1/wallet', { key: poster.key });
    expect(body.daily_spend).to.equal(0);
  });

  it('pays what was bid, credit first, and gives the rest back when work is approved', async () => {
    const job = await openJob(platform);
    const { poster, worker, taskId } = job;
    await hire(platform, job, 0.8);
    const submitted = done(await submit(platform, { taskId, ...worker }));
    expect(submitted).to.include({ status: 'submitted', paid: 0 });
    expect((await taskAs(platform, poster, taskId)).result_hash).to.equal(submitted.result_hash);
    const approved = done(await act(platform, 'approve', { taskId, key: poster.key }));
    expect(approved).to.include({ status: 'approved', worker_id: worker.id, paid: 0.8 });
    // The half dollar of credit went to the worker, with 0.3 of cash.
    expect(await fundsOf(platform, poster, worker)).to.deep.equal([
      [4.7, 0, 0],
      [0.3, 1, 0],
    ]);
    const { body } = await platform.request('GET /api/v1/wallet', { key: poster.key });
    expect(body.daily_spend).to.equal(0.8);
    expect(await newsOf(platform, worker)).to.deep.equal([
      'bid.placed',
      'bid.accepted',
      'task.assigned',
      'task.submitted',
      'task.approved',
    ]);
    const again = await act(platform, 'approve', { taskId, key: poster.key });
    expectRefusal(again, 409, 'invalid_transition');
    const statement = await platform.request('GET /api/v1/wallet/statement', { key: poster.key });
    const kinds = statement.body.entries.map(({ kind }: { kind: string }) => kind);
    expect(kinds.slice(0, 2)).to.deep.equal(['task.refund', 'task.hold']);
  });

  it('pays the worker of an accepted bid when nobody judges its work in time', async () => {
    const job = await openJob(platform);
    const { poster, worker, taskId } = job;
    await hire(platform, job, 0.8);
    await submit(platform, { taskId, ...worker });
    await runTimer(platform, 'settle_due_tasks');
    expect((await taskAs(platform, poster, taskId)).status).to.equal('submitted');
    await fallDue(platform, taskId);
    await Promise.all([1, 2].map(() => runTimer(platform, 'settle_due_tasks')));
    expect(await taskAs(platform, worker, taskId)).to.include({ status: 'approved', paid: 0.8 });
    expect(await fundsOf(platform, poster, worker)).to.deep.equal([
      [4.7, 0, 0],
      [0.3, 1, 0],
    ]);
  });

  it('goes back at due_at where nothing was submitted, or only work that nobody asked for', async () => {
    const hired = await openJob(platform);
    await hire(platform, hired);
    const unasked = await openJob(platform);
    await submit(platform, { taskId: unasked.taskId, ...unasked.worker });
    const jobs = [hired, unasked];
    await fallDue(platform, ...jobs.map(({ taskId }) => taskId));
    for (const { taskId, worker } of jobs) {
      const late = await submit(platform, { taskId, ...worker });
      expectRefusal(late, 409, 'invalid_transition');
    }
    expect(await runSweep(platform, 'settle_due_tasks')).to.deep.equal({ settled: 2, failed: 0 });
    for (const { taskId, poster, worker } of jobs) {
      expect(await taskAs(platform, poster, taskId)).to.include({ status: 'expired', paid: 0 });
      expect(await fundsOf(platform, poster, worker)).to.deep.equal([
        [5, 0.5, 0],
        [0, 0.5, 0],
      ]);
    }
    expect(await newsOf(platform, unasked.worker)).to.include('bid.lapsed');
    const route = `GET /api/v1/tasks/${unasked.taskId}/submissions`;
    const { submissions } = done(await platform.request(route, { key: unasked.worker.key }));
    expect(submissions[0].status).to.equal('lapsed');
  });

  it('pays the one that is chosen of several who submitted unasked', async () => {
    const { poster, worker, taskId } = await openJob(platform);
    const other = await platform.agent();
    expectRefusal(
      await act(platform, 'approve', { taskId, key: poster.key }),
      409,
      'invalid_transition',
    );
    await bidOn(platform, { taskId, ...worker }, 0.6);
    const first = done(await submit(platform, { taskId, ...worker }, 'A first version.'));
    const best = done(await submit(platform, { taskId, ...worker }, 'The Aral Sea.'));
    const rival = done(await submit(platform, { taskId, ...other }));
    const unclear = await act(platform, 'approve', { taskId, key: poster.key });
    expectRefusal(unclear, 409, 'ambiguous_submission');
    const named = unclear.body.details.submissions;
    expect(named.map(({ submission_id }: typeof best) => submission_id)).to.deep.equal([
      rival.submission_id,
      best.submission_id,
    ]);
    expect(named[0]).to.include({ worker_id: other.id, bid_amount: 1 });

    const before = { submission_id: first.submission_id };
    const superseded = await act(platform, 'approve', { taskId, key: poster.key }, before);
    expectRefusal(superseded, 404, 'not_found');
    const choice = { submission_id: best.submission_id };
    const approved = done(await act(platform, 'approve', { taskId, key: poster.key }, choice));
    expect(approved).to.include({ status: 'approved', worker_id: worker.id, paid: 0.6 });
    expect(await fundsOf(platform, poster, worker, other)).to.deep.equal([
      [4.9, 0, 0],
      [0.1, 1, 0],
      [0, 0.5, 0],
    ]);
    expect(await newsOf(platform, other)).to.include('bid.not_selected');
    const read = async (agent: { key: string }) =>
      done(await platform.request(`GET /api/v1/tasks/${taskId}/submissions`, agent)).submissions;
    const statuses = (await read(poster)).map(({ status }: { status: string }) => status);
    expect(statuses).to.deep.equal(['not_selected', 'approved', 'superseded']);
    // Nobody reads the work of others.
    expect(
      (await read(other)).map(({ worker_id }: { worker_id: number }) => worker_id),
    ).to.deep.equal([other.id]);
  });

  it('cannot be earned by the tree that posted it, nor spent by a worker', async () => {
    const { poster, worker, taskId } = await openJob(platform);
    const child = await childOf(platform, poster);
    for (const { key } of [poster, child]) {
      expectRefusal(await bidOn(platform, { taskId, key }, 0.5), 403, 'forbidden');
      expectRefusal(await submit(platform, { taskId, key }), 403, 'forbidden');
    }
    await submit(platform, { taskId, ...worker });
    for (const action of ['approve', 'cancel']) {
      const reply = await act(platform, action, { taskId, key: worker.key });
      expectRefusal(reply, 403, 'forbidden');
    }
    // A task of a child is its owner's too.
    const ofChild = await openTask(platform, child, { budget: 0.1 });
    done(await act(platform, 'cancel', { taskId: ofChild, key: poster.key }));
  });

  it('turns no welcome credit into cash for two agents who work for each other', async () => {
    const [a, b] = [await platform.agent(), await platform.agent()];
    for (let round = 0; round < 4; round += 1) {
      const [poster, worker] = round % 2 === 0 ? [a, b] : [b, a];
      const taskId = await openTask(platform, poster, { budget: 0.3 });
      await submit(platform, { taskId, ...worker });
      done(await act(platform, 'approve', { taskId, key: poster.key }));
    }
    expect(await fundsOf(platform, a, b)).to.deep.equal([
      [0, 0.5, 0],
      [0, 0.5, 0],
    ]);
  });
});
