import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { child, endChildren, openPlatform } from '../faults/children.ts';
import { eventually, type TestPlatform } from '../harness.ts';
import type { NameServer } from '../name_server.ts';
import { startZone } from './zone.ts';

const WORKER = 'test/faults/worker.ts';

describe('a batch of email validations whose workers are killed', function () {
  this.timeout(120_000);

  let platform: TestPlatform;
  let names: NameServer;
  beforeEach(async () => {
    names = await startZone({ 'mail.example': { MX: ['mx.mail.example'] } });
    platform = await openPlatform({ workers: false, env: { DNS_SERVERS: names.address } });
  });
  afterEach(async () => {
    await endChildren();
    await platform.close();
    await names.close();
  });

  const emails = Array.from({ length: 200 }, (_, n) => `n${n}@mail.example`);
  const pending = `select id, operation from job where status = 'pending'`;

  /** As if the dispatcher's clock moved on: pending jobs are due. */
  const hurry = () =>
    platform.query(
      `update job set run_at = now() where id in (
         select id from job where status = 'pending' for update skip locked)`,
    );

  async function begin() {
    const agent = await platform.agent();
    const headers = { 'idempotency-key': randomUUID() };
    const request = { key: agent.key, body: { emails }, headers };
    const send = () => platform.request('POST /api/v1/email/validate?wait=0', request);
    const { body } = await send();
    return { agent, send, poll: body.poll as string };
  }

  async function proveOnce({ agent, send, poll }: Awaited<ReturnType<typeof begin>>) {
    await hurry();
    const { body } = await eventually(
      () => platform.request(`GET ${poll}?wait=1`, agent),
      ({ body: job }) => job.status !== 'pending',
    );
    expect(body.result).to.include({ status: 'complete', answered: 200, charged: 0.4 });
    const answers = body.result.results.map(({ email }: { email: string }) => email);
    expect(answers).to.deep.equal(emails);
    expect(await platform.balance(agent)).to.equal(0.1);
    expect((await send()).body).to.deep.equal(body.result);
    const [{ units }] = await platform.query('select sum(units)::int as units from charge');
    expect(units).to.equal(200);
    expect(await platform.query(pending)).to.deep.equal([]);
    expect(await audit(platform.context.database)).to.deep.equal([]);
  }

  for (const [point, when] of [
    ['W0', 'before a transaction'],
    ['W3', 'when the work is done'],
    ['W4', 'before COMMIT'],
    ['W5', 'after COMMIT, before word of it'],
  ] as const) {
    it(`in a child job, ${when}, is answered and charged once (${point})`, async () => {
      const batch = await begin();
      const first = await child(platform, WORKER, {});
      const [part] = await eventually(
        () => platform.query(`select id from job where operation = 'check_emails' limit 1`),
        (rows) => rows.length > 0,
      );
      first.kill('SIGKILL');
      await first.ended;
      const armed = await child(platform, WORKER, { CRASH_AT: point, CRASH_AT_JOB: part.id });
      await hurry();
      const finished = eventually(
        () => platform.query(`${pending} and id = '${part.id}'`),
        (rows) => rows.length === 0,
      );
      await Promise.race([armed.ended, finished]);
      armed.kill('SIGKILL');
      await armed.ended;
      await platform.resumeWorkers();
      await proveOnce(batch);
    });
  }

  it('many times is answered and charged once', async () => {
    const batch = await begin();
    for (let n = 0; n < 2; n += 1) {
      const worker = await child(platform, WORKER, {});
      await hurry();
      await eventually(
        async () => {
          const [row] = await platform.query(
            `select count(*)::int as n from job where operation = 'check_emails'
                                                 and status = 'complete'`,
          );
          return row.n;
        },
        (done) => done > n,
      );
      worker.kill('SIGKILL');
      await worker.ended;
    }
    await platform.resumeWorkers();
    await proveOnce(batch);
  });

  it('while Redis loses everything is answered and charged once', async () => {
    const batch = await begin();
    await platform.resumeWorkers();
    await eventually(
      () => platform.query(`select from charge`),
      (rows) => rows.length > 0,
    );
    await platform.context.queue.redis.del(
      await platform.context.queue.redis.keys(`${platform.prefix}*`),
    );
    await proveOnce(batch);
  });
});
