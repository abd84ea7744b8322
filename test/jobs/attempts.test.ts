import { expect } from 'chai';
import type { DataSource } from 'typeorm';

import { finishJobs, insertJobs, newJobId, resultAnswer } from '../../shared/jobs/jobs.ts';
import { catalog } from '../../shared/composition/catalog.ts';
import { operation, type AnyOperation } from '../../shared/kernel/operation.ts';
import { Input, Output } from '../../shared/kernel/schema.ts';
import { beginGatherings } from '../../workers/begin_gatherings.ts';
import { openGatherings } from '../../workers/network_jobs.ts';
import { runBatch } from '../../workers/run_batch.ts';
import { runJob } from '../../workers/run_job.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { patience } from '../platform/pace.ts';
import { expectPutOff } from './retry_later.ts';

/** The jobs that were begun, and what the operations do with them. */
let begun: string[] = [];
let work: () => Promise<object>;
let ask: () => Promise<void>;
let batches = 0;

const frame = {
  title: 'A test',
  summary: 'A test.',
  access: 'any',
  mode: 'job',
  domain: 'orders',
  queue: 'money',
  input: Input({}),
  output: Output({}),
  async handle({ key }: { key: string }) {
    begun.push(key);
    return work();
  },
} as const;

async function handleMany(): Promise<never> {
  batches += 1;
  throw new Error('on purpose');
}

const OPERATIONS = {
  alone: operation({ ...frame, name: 'alone' }),
  asking: operation({ ...frame, name: 'asking', gather: () => ask() }),
  together: operation({ ...frame, name: 'together', batch: { handleMany } }),
};

describe('an attempt of a job', () => {
  let platform: TestPlatform;
  const known = catalog as Map<string, AnyOperation>;
  before(async () => {
    for (const op of Object.values(OPERATIONS)) known.set(op.name, op);
    platform = await TestPlatform.open({ workers: false });
  });
  beforeEach(() => {
    [begun, batches] = [[], 0];
    work = async () => ({});
  });
  after(async () => {
    for (const op of Object.values(OPERATIONS)) known.delete(op.name);
    await platform.close();
  });

  async function record({ name }: AnyOperation, agentId = 5): Promise<string> {
    const { database, clock } = platform.context;
    const id = newJobId(clock.now());
    const ids = { agentId, rootId: agentId };
    const call = { ...ids, input: {}, hash: Buffer.alloc(32), requestId: 'test' };
    await insertJobs(database, [{ id, operation: name, ...call }]);
    return id;
  }
  const rowOf = async (id: string) =>
    (
      await platform.query(
        `select attempts, fault, status, extract(epoch from run_at - now())::int as due_in
           from job where id = $1`,
        [id],
      )
    )[0];
  const finish = (id: string) => finishJobs(platform.context.database, [resultAnswer(id, {})]);

  it('is counted before the work, and keeps others away for longer each time', async () => {
    work = () => Promise.reject(new Error('on purpose'));
    const id = await record(OPERATIONS.alone);
    expect(await runJob(platform.context, id)).to.equal(null);
    expect(await rowOf(id)).to.include({ attempts: 0, fault: 'Error: on purpose' });
    for (const [attempts, seconds] of [2, 4, 8, 16, 32, 64, 128].entries()) {
      await platform.query('update job set run_at = now() where id = $1', [id]);
      await expectPutOff(platform, id, { attempts, seconds });
      expect((await rowOf(id)).attempts).to.equal(attempts + 1);
    }
    expect(begun).to.have.length(8);
  });

  it('that asked outside and failed does not wait as long as asking may take', async () => {
    ask = async () => undefined;
    work = () => Promise.reject(new Error('on purpose'));
    const id = await record(OPERATIONS.asking);
    await platform.query('update job set run_at = now() where id = $1', [id]);
    for (const [attempts, seconds] of [2, 4, 8].entries()) {
      await expectPutOff(platform, id, { attempts, seconds });
    }
  });

  it('is noted as failed although PostgreSQL does not answer at first', async () => {
    work = () => Promise.reject(new Error('on purpose'));
    const id = await record(OPERATIONS.alone);
    const { database } = platform.context;
    let refusals = 0;
    const query: DataSource['query'] = (sql, parameters) => {
      if (!sql.includes('set fault') || (refusals += 1) > 2) return database.query(sql, parameters);
      return Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));
    };
    const refusing = Object.create(database, { query: { value: query } }) as DataSource;
    expect(await runJob({ ...platform.context, database: refusing }, id)).to.equal(null);
    expect(refusals).to.equal(3);
    expect(await rowOf(id)).to.include({ fault: 'Error: on purpose' });
  });

  it('is one where two copies of the job begin at the same moment', async () => {
    const id = await record(OPERATIONS.alone);
    const { database } = platform.context;
    let reads = 0;
    let bothHaveRead!: () => void;
    const gate = new Promise<void>((resolve) => (bothHaveRead = resolve));
    const query: DataSource['query'] = async (sql, parameters) => {
      const found = await database.query(sql, parameters);
      if (sql.includes('deferral is null') && (reads += 1) === 2) bothHaveRead();
      await gate;
      return found;
    };
    const together = Object.create(database, { query: { value: query } }) as DataSource;
    const context = { ...platform.context, database: together };
    const answers = await Promise.all([runJob(context, id, 0), runJob(context, id, 0)]);
    expect(answers.filter((answer) => answer === null)).to.have.length(1);
    expect(await rowOf(id)).to.include({ attempts: 1, status: 'complete' });
  });

  it('is not made while another worker holds the job', async () => {
    const id = await record(OPERATIONS.alone);
    let end!: () => void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    work = async () => ended.then(() => ({}));
    const first = runJob(platform.context, id);
    await eventually(
      async () => begun.length,
      (n) => n === 1,
    );
    const second = Promise.race([
      runJob(platform.context, id),
      eventually(
        async () => begun.length,
        (n) => n > 1,
      ),
    ]);
    expect(await second).to.equal(null);
    end();
    expect(await first).to.include({ status: 'complete' });
  });

  it('handles nothing where the job was finished while it asked outside', async () => {
    const id = await record(OPERATIONS.asking);
    ask = () => finish(id);
    expect(await runJob(platform.context, id)).to.equal(null);
    expect(begun).to.deep.equal([]);
  });

  it('begins, of one that asks outside, within the share of its tree, or is put off', async () => {
    let end!: () => void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    ask = () => ended;
    const five = [await record(OPERATIONS.asking), await record(OPERATIONS.asking)];
    const [six, ours] = [await record(OPERATIONS.asking, 6), await record(OPERATIONS.asking, 0)];
    const again = await record(OPERATIONS.asking);
    await platform.query('update job set attempts = 3 where id = $1', [again]);
    const gatherings = openGatherings(2, (error) => expect.fail(String(error)));
    const reported: string[] = [];
    const isDue = ({ due_in: seconds }: { due_in: number | null }) => seconds !== null;
    const batch = { ids: [...five, six, ours, again] };
    const others = await beginGatherings(platform.context, batch, gatherings, async (answers) => {
      reported.push(...answers.map(({ id }) => id));
    });
    expect(others, 'those of the platform').to.deep.equal([ours]);
    expect(reported).to.deep.equal([]);
    const late = await eventually(() => rowOf(five[1]!), isDue);
    expect(late).to.include({ attempts: 0, status: 'pending', due_in: 0 });
    expect(await rowOf(again), 'another worker has begun it').to.include({ due_in: null });
    end();
    await gatherings.settled();
    expect(reported).to.have.members([five[0], six]);
    const next = gatherings.begin(5, async () => undefined);
    expect(await next, 'it gave its share back').to.equal(true);
    await gatherings.settled();
    const full = openGatherings(2, (error) => expect.fail(String(error)));
    const never = () => new Promise<void>(() => undefined);
    const trees = [1, 2, 3, 4].map((tree) => full.begin(tree, never));
    expect(new Set(await Promise.all(trees)), 'each has one').to.deep.equal(new Set([true]));

    await platform.query(`update job set created_at = created_at - interval '20 s' where id = $1`, [
      five[1],
    ]);
    const busy = openGatherings(1, (error) => expect.fail(String(error)));
    await busy.begin(5, () => new Promise(() => undefined));
    await beginGatherings(platform.context, { ids: [five[1]!] }, busy, async () => undefined);
    const later = await eventually(
      () => rowOf(five[1]!),
      (row) => row.due_in > 1,
    );
    expect(later.due_in, 'half as long as it has waited').to.be.within(
      10 - patience(1),
      10 + patience(1),
    );
    expect(await runJob(platform.context, five[1]!)).to.include({ status: 'complete' });
  });

  it('begins when another of its tree ends soon, and is not put off for that', async () => {
    let end!: () => void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    ask = () => ended;
    const ids = [await record(OPERATIONS.asking), await record(OPERATIONS.asking)];
    const gatherings = openGatherings(2, (error) => expect.fail(String(error)));
    const reported: string[] = [];
    await beginGatherings(platform.context, { ids }, gatherings, async (answers) => {
      reported.push(...answers.map(({ id }) => id));
    });
    end();
    await gatherings.settled();
    expect(reported).to.have.members(ids);
  });

  it('is made alone, and counted, where it is not the first', async () => {
    const id = await record(OPERATIONS.together);
    const batch = { queue: 'money', operation: 'together', ids: [id], attempts: 0 };
    await runBatch(platform.context, batch);
    expect(batches).to.equal(0);
    expect(await rowOf(id)).to.include({ attempts: 1, status: 'complete' });
  });

  it('is made for each job of a batch that failed, and tells what was finished before', async () => {
    const ids = await Promise.all(Array.from({ length: 3 }, () => record(OPERATIONS.together)));
    await finish(ids[1]!);
    const batch = { queue: 'money', operation: 'together', ids };
    const answers = await runBatch(platform.context, batch);
    expect(batches).to.equal(1);
    expect(answers.map(({ id }) => id)).to.have.members(ids);
    expect(begun).to.have.members([ids[0], ids[2]]);
  });
});
