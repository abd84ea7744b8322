import { expect } from 'chai';

import { PLATFORM } from '../../shared/kernel/caller.ts';
import { WAIT_FOR_CHILD_JOBS, operation } from '../../shared/kernel/operation.ts';
import { releaseDueOrders } from '../../shared/domains/orders/release_due_orders.ts';
import { ReadOnlyTransaction } from '../../shared/platform/database.ts';
import { GatherTimeout, perform } from '../../shared/performing/perform.ts';
import { refusalFor } from '../../api/http/errors.ts';
import { openWaiters } from '../../shared/jobs/waiters.ts';
import { openInvoke } from '../../shared/composition/invoke/invoke.ts';
import type { Log } from '../../shared/platform/log.ts';
import { TestPlatform } from '../harness.ts';
import { defaults } from './operation_defaults.ts';

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
      prepare: (tx) => tx.db.query('update agent set status = status'),
      gather: async () => undefined,
      handle: async () => ({ seen: 'never' }),
    });
    const outcome = await perform(platform.context, writes, {}, call('b')).catch(
      (error: unknown) => error,
    );
    expect(outcome).to.be.instanceOf(ReadOnlyTransaction);
  });

  it('answers 500 for a read that writes, and logs that its transaction is read-only', async () => {
    const { database, config, log } = platform.context;
    const writes = operation({
      ...defaults,
      name: 'writes',
      access: 'public',
      mode: 'read',
      async handle(tx) {
        await tx.db.query('update agent set status = status');
        return { seen: 'never' };
      },
    });
    const waiters = openWaiters(database, config.redisUrl, log);
    try {
      const fault: unknown = await openInvoke(platform.context, waiters)(writes, {
        token: undefined,
        read: () => ({ input: {}, key: undefined, waitMs: 0 }),
        dropUnknown: false,
        requestId: 'test',
      }).catch((error: unknown) => error);
      const logged: unknown[] = [];
      const listening = { error: (line: { err: unknown }) => logged.push(line.err) };
      const state = { requestId: 'test', address: '127.0.0.1' };
      const refusal = refusalFor(listening as unknown as Log, state, fault);
      expect([refusal.status, refusal.code]).to.deep.equal([500, 'internal_error']);
      expect(String(logged)).to.match(/^Error: A statement writes or locks in a read-only trans/);
    } finally {
      waiters.close();
    }
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
