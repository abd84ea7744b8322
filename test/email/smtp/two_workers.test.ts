// test:all: two workers of their own probe for half a minute, and one is killed.
import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { child, endChildren, openPlatform, type Child } from '../../faults/children.ts';
import { eventually, type TestPlatform } from '../../harness.ts';
import type { NameServer } from '../../name_server.ts';
import { startZone } from '../zone.ts';
import { startMailServer, type MailServer } from './mail_server.ts';

const WORKER = 'test/faults/worker.ts';
/** More than one child job has, and each with a name of its own for the same machine. */
const DOMAINS = 30;
const PAUSE_MS = 250;

describe('validate_emails by two worker processes', function () {
  this.timeout(240_000);

  let platform: TestPlatform;
  let names: NameServer;
  let server: MailServer;
  let workers: Child[];
  const times: number[] = [];
  beforeEach(async () => {
    times.length = 0;
    names = await startZone({
      ...Object.fromEntries(
        Array.from({ length: DOMAINS }, (_, n) => [`d${n}.example`, { MX: [`mx${n}.example`] }]),
      ),
      ...Object.fromEntries(
        Array.from({ length: DOMAINS }, (_, n) => [`mx${n}.example`, { A: ['127.0.0.1'] }]),
      ),
    });
    server = await startMailServer((recipient) => {
      // The second question of a session, after many refusals.
      if (recipient.startsWith('postmaster@')) return undefined;
      times.push(performance.now());
      return recipient.startsWith('ada@') ? undefined : { code: 550, text: '5.1.1 No such user' };
    });
    platform = await openPlatform({ workers: false, env: { DNS_SERVERS: names.address } });
    const env = {
      EGRESS_ALLOW: '127.0.0.0/8',
      SMTP_PROBE_FROM: 'checker@us.example',
      SMTP_PROBE_PORT: String(server.port),
      SMTP_PROBE_PAUSE_MS: String(PAUSE_MS),
    };
    workers = await Promise.all([child(platform, WORKER, env), child(platform, WORKER, env)]);
  });
  afterEach(async () => {
    await endChildren();
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
    await names.close();
    await server.close();
  });

  async function begin() {
    const agent = await platform.agent();
    const emails = Array.from({ length: DOMAINS }, (_, n) => `eve@d${n}.example`);
    const { body } = await platform.request('POST /api/v1/email/validate?wait=0', {
      key: agent.key,
      body: { emails },
    });
    return { agent, poll: body.poll as string };
  }
  async function end({ agent, poll }: Awaited<ReturnType<typeof begin>>) {
    const { body } = await eventually(
      () => platform.request(`GET ${poll}?wait=20`, agent),
      ({ body: job }) => job.status !== 'pending',
    );
    const found = body.result.results.map((result: { sub_status: string }) => result.sub_status);
    expect(new Set(found)).to.deep.equal(new Set(['mailbox_refused']));
    expect(body.result).to.include({ answered: DOMAINS, charged: DOMAINS * 0.002 });
    expect(await platform.balance(agent)).to.be.closeTo(0.5 - DOMAINS * 0.002, 1e-9);
  }
  /** No two sessions at once, and the pause between them. */
  function expectPolite(): void {
    expect(server.sessions.concurrentMax).to.equal(1);
    const pauses = times.slice(1).map((time, n) => time - times[n]!);
    // Pauses are measured across the network, late or less late.
    expect(Math.min(...pauses)).to.be.above(0.8 * PAUSE_MS);
  }

  it('asks a machine as politely as one does, whatever its names are', async () => {
    await end(await begin());
    expectPolite();
    expect(server.sessions.count).to.equal(DOMAINS);
  });

  it('goes on when one of them is killed, and is charged once', async () => {
    const batch = await begin();
    await eventually(
      async () => server.sessions.count,
      (count) => count >= 5,
    );
    workers[0]!.kill('SIGKILL');
    await workers[0]!.ended;
    await end(batch);
    expectPolite();
  });
});
