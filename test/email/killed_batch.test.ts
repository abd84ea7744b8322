// test:all: workers are killed at each step of a payment or a charge.
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { PIECE_MAX } from '../../shared/domains/email/sale.ts';
import { runJob } from '../../workers/run_job.ts';
import { child, endChildren, openPlatform } from '../faults/children.ts';
import { clearRedis } from '../faults/market.ts';
import { eventually, type TestPlatform } from '../harness.ts';
import type { NameServer } from '../name_server.ts';
import { holdMail } from './held_mail.ts';
import { startZone } from './zone.ts';

const WORKER = 'test/faults/worker.ts';

describe('a batch of email validations whose workers are killed', function () {
  this.timeout(240_000);

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

  const emails = Array.from({ length: 4 * PIECE_MAX }, (_, n) => `n${n}@mail.example`);
  const pending = `select id, operation from job where status = 'pending' and agent_id <> 0`;

  /** Moves the dispatcher's clock on: pending jobs are due. */
  const hurry = () =>
    platform.query(
      `update job set run_at = now() where id in (
         select id from job where status = 'pending' for update skip locked)`,
    );

  async function begin() {
    const agent = await platform.agent({ usd: 2 });
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
    expect(body.result).to.include({ status: 'complete', answered: emails.length, charged: 2 });
    const answers = body.result.results.map(({ email }: { email: string }) => email);
    expect(answers).to.deep.equal(emails);
    expect(await platform.balance(agent)).to.equal(0.5);
    expect((await send()).body).to.deep.equal(body.result);
    const [{ units }] = await platform.query('select sum(units)::int as units from charge');
    expect(units).to.equal(emails.length);
    expect(await platform.query(pending)).to.deep.equal([]);
    expect(await audit(platform.context.database)).to.deep.equal([]);
  }

  it('at four points of four child jobs, is answered and charged once', async () => {
    const batch = await begin();
    const [{ id }] = await platform.query(pending);
    await runJob(platform.context, id);
    await clearRedis(platform);
    const held = `update job set run_at = 'infinity', push_after = 'infinity'
                   where operation = 'check_emails' returning id`;
    const [parts] = (await platform.query(held)) as [{ id: string }[]];
    expect(parts).to.have.length(4);
    for (const [n, point] of ['W0', 'W3', 'W4', 'W5'].entries()) {
      const job = parts[n]!.id;
      await platform.query('update job set run_at = now() where id = $1', [job]);
      const armed = await child(platform, WORKER, { CRASH_AT: point, CRASH_AT_JOB: job });
      expect(await armed.ended, point).to.equal('SIGKILL');
      const [{ status }] = await platform.query('select status from job where id = $1', [job]);
      expect(status, point).to.equal(point === 'W5' ? 'complete' : 'pending');
    }
    await platform.resumeWorkers();
    await proveOnce(batch);
  });

  it('while Redis loses everything is answered and charged once', async () => {
    const batch = await begin();
    const held = holdMail(platform);
    await platform.resumeWorkers();
    await eventually(async () => held.count, Boolean);
    await clearRedis(platform);
    held.release();
    await proveOnce(batch);
  });
});
