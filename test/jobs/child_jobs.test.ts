import { expect } from 'chai';

import { PLATFORM } from '../../shared/kernel/caller.ts';
import {
  awaitChildJobs,
  childJobAnswers,
  childJobCounts,
  countChildJob,
} from '../../shared/jobs/child_jobs.ts';
import { PIECE_MAX } from '../../shared/domains/email/sale.ts';
import { finishJobs, insertJobs, newJobId, resultAnswer } from '../../shared/jobs/jobs.ts';
import { inTransaction } from '../../shared/performing/transaction.ts';
import { transact } from '../../shared/platform/database.ts';
import { redisForWorkers } from '../../shared/platform/redis.ts';
import { startWorker } from '../../workers/worker.ts';
import { TestPlatform } from '../harness.ts';

describe('the child jobs of a job', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(() => platform.close());

  async function record(cause?: string): Promise<string> {
    const { database, clock } = platform.context;
    const id = newJobId(clock.now());
    const call = { agentId: 0, rootId: 0, input: {}, hash: Buffer.alloc(32), requestId: 'test' };
    await insertJobs(database, [{ id, operation: 'of_a_test', cause, ...call }]);
    return id;
  }
  const wait = (id: string) =>
    transact(platform.context.database, (db) => awaitChildJobs(db, id, 3));
  const count = (id: string, n: number) => {
    const { context } = platform;
    const call = { caller: PLATFORM, key: id, now: context.clock.now(), requestId: 'test' };
    return inTransaction(context, call, (tx) => countChildJob(tx, id, n));
  };
  const parentOf = async (id: string) =>
    (
      await platform.query(
        `select attempts, progress, run_at <= now() + interval '1 s' as due from job where id = $1`,
        [id],
      )
    )[0];

  it('wake it when the last of them has ended, and not before', async () => {
    const parent = await record();
    await platform.query('update job set attempts = 3 where id = $1', [parent]);
    await wait(parent);
    expect(await parentOf(parent), 'waiting is no attempt').to.deep.equal({
      attempts: 0,
      progress: { done: 0, total: 3 },
      due: false,
    });
    await count(parent, 1);
    expect(await parentOf(parent)).to.deep.include({ progress: { done: 1, total: 3 }, due: false });
    await wait(parent); // It is looked at meanwhile.
    expect(await parentOf(parent)).to.deep.include({ progress: { done: 1, total: 3 }, due: false });
    await count(parent, 2);
    expect(await parentOf(parent)).to.deep.include({ progress: { done: 3, total: 3 }, due: true });
  });

  it('give it their answers in the order in which they were started, but for what failed', async () => {
    const { database } = platform.context;
    const parent = await record();
    const children = { parent, cause: 'pieces', count: 3 };
    const ids: string[] = [];
    for (const n of [2, 1, 0]) ids[n] = await record(`${parent}/pieces/${n}`);
    expect(await childJobCounts(database.manager, children)).to.deep.equal({
      started: 3,
      pending: 3,
    });
    const failure = { id: ids[1]!, status: 'failed', httpStatus: 500, answer: '{}' } as const;
    await finishJobs(database, [
      resultAnswer(ids[2]!, { of: 2 }),
      failure,
      resultAnswer(ids[0]!, { of: 0 }),
    ]);
    expect(await childJobCounts(database.manager, children)).to.deep.equal({
      started: 3,
      pending: 0,
    });
    expect(await childJobAnswers(database.manager, children)).to.deep.equal([
      { of: 0 },
      undefined,
      { of: 2 },
    ]);
  });

  it('begin at once, and so does it after the last of them, without a dispatcher', async () => {
    const { context, prefix } = platform;
    const { key } = await platform.agent({ usd: 5 });
    const connection = redisForWorkers(context.config.redisUrl, context.log);
    const workers = ['network', 'bulk'].map((queue) =>
      startWorker(context, queue, connection, prefix),
    );
    const emails = Array.from({ length: 2 * PIECE_MAX + 1 }, (_, n) => `nobody${n}`);
    const request = { key, body: { emails } };
    const { status, body } = await platform.request('POST /api/v1/email/validate?wait=25', request);
    expect([status, body.answered]).to.deep.equal([200, emails.length]);
    await Promise.all(workers.map((worker) => worker.close()));
    connection.disconnect();
  });
});
