import { expect } from 'chai';

import { insertJobs, newJobId } from '../../shared/jobs/jobs.ts';
import { catalog } from '../../shared/composition/catalog.ts';
import { operation, type AnyOperation } from '../../shared/kernel/operation.ts';
import { releaseDueOrders } from '../../shared/domains/orders/release_due_orders.ts';
import { Input, Output } from '../../shared/kernel/schema.ts';
import { openDispatch } from '../../workers/dispatch.ts';
import { runJob } from '../../workers/run_job.ts';
import { TestPlatform } from '../harness.ts';

const LAST_ATTEMPT = 7;

const frame = {
  title: 'A test',
  summary: 'A test.',
  access: 'any',
  mode: 'job',
  domain: 'orders',
  queue: 'money',
  input: Input({}),
  output: Output({}),
  handle: async () =>
    Promise.reject(new Error('no answer of https://us:our-password@rail.example')),
} as const;

const fails = operation({ ...frame, name: 'fails' });
const givesBack = operation({
  ...frame,
  name: 'gives_back',
  ends: {
    async onGiveUp(tx) {
      await tx.enqueue(releaseDueOrders, {}, { cause: 'give-back', delayMs: 3_600_000 });
      return 'fail';
    },
  },
});
const ofOperators = operation({
  ...frame,
  name: 'of_operators',
  access: 'operator',
  effects: { actsOn: { kind: 'market' } },
});
const holds = operation({ ...frame, name: 'holds', ends: { onGiveUp: async () => 'hold' } });

describe('a job that failed in all its attempts', () => {
  let platform: TestPlatform;
  const known = catalog as Map<string, AnyOperation>;
  before(async () => {
    for (const op of [fails, givesBack, ofOperators, holds]) known.set(op.name, op);
    platform = await TestPlatform.open({ workers: false });
  });
  after(async () => {
    for (const op of [fails, givesBack, ofOperators, holds]) known.delete(op.name);
    await platform.close();
  });

  /** A job with a key, as a worker leaves it after its next attempt. */
  async function attempt(op: AnyOperation, attempts: number, operator?: string) {
    const { context } = platform;
    const id = newJobId(context.clock.now());
    const call = { agentId: 5, rootId: 5, input: {}, hash: Buffer.alloc(32), requestId: 'test' };
    const job = { id, operation: op.name, key: `key-of-${id}`, operator, ...call };
    await insertJobs(context.database, [job]);
    await platform.query('update job set attempts = $2 where id = $1', [id, attempts]);
    await runJob(context, id, attempts);
    const [row] = await platform.query('select * from job where id = $1', [id]);
    return row;
  }

  const giveUp = (op: AnyOperation) => attempt(op, LAST_ATTEMPT);

  it('has kept its last fault for operators, without the password in it', async () => {
    const { status, fault } = await attempt(fails, LAST_ATTEMPT - 1);
    expect(status).to.equal('pending');
    expect(fault).to.equal('Error: no answer of https://us:[redacted]@rail.example');
  });

  it('is refused with internal_error, and its key is free', async () => {
    const { status, http_status, answer, key } = await giveUp(fails);
    expect({ status, http_status, key }).to.deep.equal({
      status: 'failed',
      http_status: 500,
      key: null,
    });
    expect(answer.error).to.equal('internal_error');
  });

  it('is in the audit log as refused, where an operator has started it', async () => {
    await attempt(ofOperators, LAST_ATTEMPT, 'ada');
    const entries = await platform.query('select operator, operation, error from audit_log');
    expect(entries).to.deep.equal([
      { operator: 'ada', operation: 'of_operators', error: 'internal_error' },
    ]);
  });

  it('lets its operation undo what it held, in the same transaction', async () => {
    const { id, status } = await giveUp(givesBack);
    expect(status).to.equal('failed');
    const started = await platform.query('select from job where cause = $1', [`${id}/give-back`]);
    expect(started).to.have.length(1);
  });

  it('stays pending, with its key, where its operation does not know what has left us', async () => {
    const { id, status, key } = await giveUp(holds);
    expect({ status, key }).to.deep.equal({ status: 'pending', key: `key-of-${id}` });
    await platform.query(`update job set created_at = now() - interval '1 day' where id = $1`, [
      id,
    ]);
    await openDispatch(platform.context, platform.prefix)();
    const [{ attempts }] = await platform.query('select attempts from job where id = $1', [id]);
    expect(attempts).to.equal(LAST_ATTEMPT); // No dispatcher has pushed it.
    expect(await runJob(platform.context, id, LAST_ATTEMPT)).to.equal(null);
  });
});
