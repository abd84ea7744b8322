import { expect } from 'chai';

import { PLATFORM } from '../../shared/agents/caller.ts';
import { WAIT_FOR_CHILD_JOBS, operation } from '../../shared/kernel/operation.ts';
import { releaseDueOrders } from '../../shared/orders/release_due_orders.ts';
import type { JobQueue } from '../../shared/jobs/queue.ts';
import { GatherTimeout, perform } from '../../shared/kernel/perform.ts';
import { purchaseProduct } from '../../shared/orders/purchase_product.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { Input, Output, Type } from '../../shared/kernel/schema.ts';
import { TestPlatform } from '../harness.ts';

/** Defaults of an operation; each test adds the functions that it is about. */
const defaults = {
  title: 'A test',
  summary: 'A test.',
  access: 'operator',
  mode: 'job',
  domain: 'orders',
  queue: 'money',
  input: Input({}),
  output: Output({ seen: Type.String() }),
} as const;

describe('perform', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  after(() => platform.close());

  const call = (key: string) => ({
    caller: PLATFORM,
    key,
    now: platform.context.clock.now(),
    requestId: 'test',
  });

  it('runs prepare first, gives its result to gather, and the facts of gather to handle', async () => {
    const steps: string[] = [];
    const gathers = operation({
      ...defaults,
      name: 'gathers',
      async prepare(tx) {
        steps.push('prepare');
        const [{ kinds }] = await tx.db.query(`select 'two' as kinds`);
        return kinds as string;
      },
      async gather(_gateways, _input, _call, prepared) {
        steps.push(`gather ${prepared}`);
        return `${prepared} and one`;
      },
      async handle(_tx, _input, facts) {
        steps.push(`handle ${facts}`);
        return { seen: facts };
      },
    });

    expect(await perform(platform.context, gathers, {}, call('a'))).to.deep.equal({
      status: 200,
      body: { seen: 'two and one' },
    });
    expect(steps).to.deep.equal(['prepare', 'gather two', 'handle two and one']);
  });

  it('lets no prepare write', async () => {
    const writes = operation({
      ...defaults,
      name: 'writes',
      prepare: (tx) => tx.db.query('update agent set tier = tier'),
      gather: async () => undefined,
      handle: async () => ({ seen: 'never' }),
    });
    const outcome = await perform(platform.context, writes, {}, call('b')).catch(
      (error: { code: string }) => error.code,
    );
    expect(outcome).to.equal('25006'); // read-only transaction
  });

  it('starts the jobs that a handler enqueues if its transaction commits, and only then', async () => {
    const enqueues = (refuses: boolean) =>
      operation({
        ...defaults,
        name: 'enqueues',
        async handle(tx) {
          await tx.enqueue(releaseDueOrders, {}, { cause: 'later', delayMs: 3_600_000 });
          await tx.enqueue(releaseDueOrders, {}, { cause: 'now' });
          if (refuses) throw new Refusal('not_found', 'It does not exist.');
          return { seen: 'both' };
        },
      });
    const started = (key: string) =>
      platform.query(
        `select cause, run_at > now() + interval '59 minutes' as delayed from job
          where cause like $1 order by cause`,
        [`${key}/%`],
      );

    await perform(platform.context, enqueues(true), {}, call('refused')).catch(() => undefined);
    expect(await started('refused')).to.deep.equal([]);

    await perform(platform.context, enqueues(false), {}, call('done'));
    expect(await started('done')).to.deep.equal([
      { cause: 'done/later', delayed: true },
      { cause: 'done/now', delayed: null },
    ]);
  });

  it('starts many jobs at once, each with a cause of its own', async () => {
    const enqueues = operation({
      ...defaults,
      name: 'enqueues',
      async handle(tx) {
        await tx.enqueue(releaseDueOrders, {}, { cause: 'later', delayMs: 3_600_000 });
        await tx.enqueueAll(
          releaseDueOrders,
          Array.from({ length: 130 }, () => ({})),
          { cause: 'many' },
        );
        return { seen: 'all' };
      },
    });
    await perform(platform.context, enqueues, {}, call('many'));
    const [{ started, delayed }] = await platform.query(
      `select count(*)::int as started, count(run_at)::int as delayed from job
        where cause = 'many/later'
           or cause = any (array(select 'many/many/' || n from generate_series(0, 129) n))`,
    );
    expect([started, delayed]).to.deep.equal([131, 1]);
  });

  it('refuses to start two jobs for one cause, and starts neither', async () => {
    const twice = operation({
      ...defaults,
      name: 'twice',
      async handle(tx) {
        await tx.enqueue(releaseDueOrders, {}, { cause: 'same' });
        await tx.enqueue(releaseDueOrders, {}, { cause: 'same' });
        return { seen: 'never' };
      },
    });
    const fault = await perform(platform.context, twice, {}, call('twice')).catch(String);
    expect(fault).to.equal('Error: twice/same has started a job before');
    expect(await platform.query(`select from job where cause like 'twice/%'`)).to.have.length(0);
  });

  it('pushes the jobs that a handler starts in batches', async () => {
    const batches: { operation: string; ids: number }[] = [];
    const push: JobQueue['push'] = async ({ operation, ids }) => {
      batches.push({ operation, ids: ids.length });
      return true;
    };
    const context = { ...platform.context, queue: { ...platform.context.queue, push } };
    const startsMany = operation({
      ...defaults,
      name: 'starts_many',
      async handle(tx) {
        const inputs = Array.from({ length: 70 }, () => ({ product_id: 1 }));
        await tx.enqueueAll(purchaseProduct, inputs, { cause: 'purchases' });
        await tx.enqueueAll(releaseDueOrders, Array(9).fill({}), { cause: 'releases' });
        return { seen: 'all' };
      },
    });
    await perform(context, startsMany, {}, call('batches'));
    expect(batches).to.deep.equal([
      { operation: 'purchase_product', ids: 64 },
      { operation: 'purchase_product', ids: 6 },
      { operation: 'release_due_orders', ids: 8 },
      { operation: 'release_due_orders', ids: 1 },
    ]);
  });

  it('aborts a gatherer at its deadline, also one that does not listen, and handles nothing', async () => {
    let reason: unknown;
    let isHandled = false;
    const hangs = operation({
      ...defaults,
      name: 'hangs',
      gatherMs: 50,
      gather(_gateways, _input, { key, requestId, signal }) {
        expect([key, requestId]).to.deep.equal(['hangs', 'test']);
        signal.addEventListener('abort', () => (reason = signal.reason));
        return new Promise<undefined>(() => undefined);
      },
      async handle() {
        isHandled = true;
        return { seen: 'never' };
      },
    });
    const fault = await perform(platform.context, hangs, {}, call('hangs')).catch(
      (error: unknown) => error,
    );
    expect(fault).to.be.instanceOf(GatherTimeout);
    expect(reason).to.equal(fault);
    expect(isHandled).to.equal(false);
  });

  it('commits the writes and finishes no job when a handler waits for child jobs', async () => {
    const waits = operation({
      ...defaults,
      name: 'waits',
      async handle(tx) {
        await tx.enqueue(releaseDueOrders, {}, { cause: 'child', delayMs: 3_600_000 });
        return WAIT_FOR_CHILD_JOBS;
      },
    });
    const finished: object[] = [];
    const finish = async (_db: unknown, result: object) => void finished.push(result);
    expect(await perform(platform.context, waits, {}, call('waits'), { finish })).to.equal(
      undefined,
    );
    expect(finished).to.deep.equal([]);
    const rows = await platform.query(`select cause from job where cause like 'waits/%'`);
    expect(rows).to.deep.equal([{ cause: 'waits/child' }]);
  });

  it('repeats a transaction that PostgreSQL ended for a deadlock, and the caller does not notice', async () => {
    const [one, two] = await Promise.all([platform.agent(), platform.agent()]);
    const lock = (id: number) => `select from agent where id = ${id} for update`;
    let attempts = 0;
    const releases: (() => void)[] = [];
    const bothHold = () =>
      new Promise<void>((resolve) => {
        releases.push(resolve);
        if (releases.length >= 2) for (const release of releases) release();
      });
    let markCommitted!: () => void;
    const firstCommitted = new Promise<void>((resolve) => (markCommitted = resolve));
    const crossing = (first: number, second: number) =>
      operation({
        ...defaults,
        name: 'crosses',
        async handle(tx) {
          attempts += 1;
          // Otherwise it could lock its first row once more before the other wakes up, and block
          // it.
          if (attempts > 2) await firstCommitted;
          await tx.db.query(lock(first));
          await bothHold(); // After the first two it does not wait.
          await tx.db.query(lock(second));
          return { seen: 'through' };
        },
      });
    const outcomes = await Promise.all(
      [
        perform(platform.context, crossing(one.id, two.id), {}, call('x')),
        perform(platform.context, crossing(two.id, one.id), {}, call('y')),
      ].map((outcome) => outcome.finally(markCommitted)),
    );
    expect(outcomes).to.deep.equal([
      { status: 200, body: { seen: 'through' } },
      { status: 200, body: { seen: 'through' } },
    ]);
    expect(attempts).to.equal(3);
  });
});
