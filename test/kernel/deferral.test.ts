import { expect } from 'chai';

import { resumeDeferredJob } from '../../shared/jobs/deferred.ts';
import { openWaiters, type Waiters } from '../../shared/jobs/waiters.ts';
import { catalog } from '../../shared/composition/catalog.ts';
import type { Invoke } from '../../shared/kernel/call.ts';
import { openInvoke } from '../../shared/composition/invoke/invoke.ts';
import { Deferral } from '../../shared/jobs/deferral.ts';
import { operation, type AnyOperation } from '../../shared/kernel/operation.ts';
import { Refusal, refusalOf } from '../../shared/kernel/refusal.ts';
import { Input, Output, Type } from '../../shared/kernel/schema.ts';
import { runJob } from '../../workers/run_job.ts';
import { eventually, TestPlatform } from '../harness.ts';

const WHY = new Refusal('tx_limit_exceeded', 'Somebody must allow this.');
/** The answer to a call: `repeats` names the job that it is equal to. */
const bodyOf = (job: string) => ({
  status: 'approval_required' as const,
  approval_id: 7,
  expires_at: '2026-11-23T12:00:00.000Z',
  poll: `/api/v1/jobs/${job}`,
});
const SECRET = 'a password that no row may show';

/** Names of the operations' calls that were done, by the secret that they were called with. */
const done: string[] = [];
let isAllowed = false;
/** The job that an equal call waits for already. */
let waiting: string | undefined;

const frame = {
  title: 'A test',
  summary: 'A test.',
  access: 'any',
  domain: 'orders',
  queue: 'money',
  input: Input({ secret: Type.String() }),
  output: Output({ done: Type.Boolean() }),
  async handle(_tx: unknown, { secret }: { secret: string }) {
    if (!isAllowed) {
      throw new Deferral(WHY, async ({ key }) => ({
        body: bodyOf(waiting ?? key),
        isRepeat: waiting !== undefined,
      }));
    }
    done.push(secret);
    return { done: true };
  },
} as const;

const OPERATIONS = {
  job: operation({ ...frame, name: 'deferred_job', mode: 'job' }),
  write: operation({ ...frame, name: 'deferred_write', mode: 'write' }),
};

describe('a call that is deferred', () => {
  let platform: TestPlatform;
  let waiters: Waiters;
  let invoke: Invoke;
  let agent: { id: number; key: string };
  const known = catalog as Map<string, AnyOperation>;

  before(async () => {
    for (const op of Object.values(OPERATIONS)) known.set(op.name, op);
    platform = await TestPlatform.open();
    const { database, config, log } = platform.context;
    waiters = openWaiters(database, config.redisUrl, log);
    invoke = openInvoke(platform.context, waiters);
    agent = await platform.agent();
  });
  beforeEach(() => {
    isAllowed = false;
    waiting = undefined;
    done.length = 0;
  });
  after(async () => {
    for (const op of Object.values(OPERATIONS)) known.delete(op.name);
    waiters.close();
    await platform.close();
  });

  const send = (op: AnyOperation, key?: string) =>
    invoke(op, {
      token: agent.key,
      read: () => ({ input: { secret: SECRET }, key, waitMs: 20_000 }),
      dropUnknown: false,
      requestId: 'test',
    });
  const jobs = (op: AnyOperation) =>
    platform.query('select *, job::text as whole from job where operation = $1 order by id', [
      op.name,
    ]);
  const resume = (id: string) => resumeDeferredJob(platform.context.database, id);
  const forget = () => platform.query(`delete from job where operation like 'deferred_%'`);
  afterEach(() => forget());

  for (const [mode, op] of Object.entries(OPERATIONS)) {
    it(`answers 202 with the reason, and so do repeats; nothing is done (${mode})`, async () => {
      const first = await send(op, 'key');
      const again = await send(op, 'key');
      const { status, body: text, poll } = first;
      expect(again).to.deep.include({ status, body: text, poll, replayed: true });
      const [job, ...others] = await jobs(op);
      expect(others).to.deep.equal([]);
      const body = bodyOf(job.id);
      expect([first.status, JSON.parse(first.body)]).to.deep.equal([202, body]);
      expect(first.poll).to.equal(body.poll);
      // A copy of it may be in the queue still.
      isAllowed = true;
      expect(await runJob(platform.context, job.id)).to.equal(null);
      expect(done).to.deep.equal([]);
    });

    it(`is done once by a worker when it is resumed, however often (${mode})`, async () => {
      await send(op, 'key');
      const [{ id }] = await jobs(op);
      isAllowed = true;
      const resumed = await Promise.all(Array.from({ length: 10 }, () => resume(id)));
      expect(resumed.filter(Boolean)).to.have.length(1);
      await eventually(
        () => jobs(op),
        ([{ status }]) => status === 'complete',
      );
      expect(done).to.deep.equal([SECRET]);
      const repeat = await send(op, 'key');
      expect(repeat).to.deep.include({ status: 200, body: '{"done":true}', replayed: true });
      expect(await resume(id)).to.equal(undefined);
    });

    it(`stays deferred when it is resumed and still not allowed (${mode})`, async () => {
      await send(op);
      const [{ id }] = await jobs(op);
      await resume(id);
      await eventually(
        () => jobs(op),
        ([{ deferral }]) => deferral !== null,
      );
      expect(done).to.deep.equal([]);
    });
  }

  it('stores the input of a write sealed, and only while it is deferred', async () => {
    await send(OPERATIONS.write);
    const [deferred] = await jobs(OPERATIONS.write);
    expect(deferred.sealed_input).to.be.instanceOf(Buffer);
    expect(deferred.sealed_input.includes(SECRET)).to.equal(false);
    expect(deferred.whole).not.to.include(SECRET);
    isAllowed = true;
    await resume(deferred.id);
    const [finished] = await eventually(
      () => jobs(OPERATIONS.write),
      ([{ status }]) => status === 'complete',
    );
    expect([finished.sealed_input, finished.input]).to.deep.equal([null, {}]);
  });

  it('is told to a caller that polls as pending', async () => {
    const { poll } = await send(OPERATIONS.job);
    const { status, body } = await platform.request(`GET ${poll}`, { key: agent.key });
    expect([status, body.status]).to.deep.equal([200, 'pending']);
  });

  for (const [mode, op] of Object.entries(OPERATIONS)) {
    it(`ends at once where an equal call waits already, with that one's answer (${mode})`, async () => {
      await send(op, 'key');
      const [first] = await jobs(op);
      waiting = first.id;
      const repeat = await send(op);
      const body = bodyOf(first.id);
      expect([repeat.status, JSON.parse(repeat.body)]).to.deep.equal([202, body]);
      expect(repeat.poll).to.equal(body.poll);
      const pending = await platform.query(
        `select id from job where operation = $1 and status = 'pending'`,
        [op.name],
      );
      expect(pending).to.deep.equal([{ id: first.id }]);
    });
  }

  it('is a refusal where nothing can wait: a read cannot be deferred', async () => {
    const read = operation({ ...frame, name: 'deferred_read', mode: 'read', queue: undefined! });
    const refusal = await send(read).catch(refusalOf);
    expect(refusal).to.include({ code: WHY.code, message: WHY.message });
  });
});
