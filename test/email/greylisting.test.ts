import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { clearRedis } from '../faults/market.ts';
import { eventually, TestPlatform } from '../harness.ts';
import type { NameServer } from '../name_server.ts';
import { startMailServer, type MailServer } from './smtp/mail_server.ts';
import { startZone } from './zone.ts';

const DELAY_MS = 2_000;

interface Agent {
  readonly key: string;
}

describe('validate_email with a mail server that defers unknown senders', function () {
  this.timeout(120_000);

  let names: NameServer;
  let server: MailServer;
  const open: TestPlatform[] = [];
  /** Recipients that were deferred, and so are known. */
  let heard: Set<string>;
  const sessionsFor = (email: string) => server.recipients.filter((one) => one === email).length;

  before(async () => {
    heard = new Set();
    names = await startZone({
      'grey.example': { MX: ['mx.grey.example'] },
      'mx.grey.example': { A: ['127.0.0.1'] },
      'always.example': { MX: ['mx.grey.example'] },
      'plain.example': { MX: ['mx.plain.example'] },
      'mx.plain.example': { A: ['127.0.0.2'] },
    });
    server = await startMailServer(
      (recipient) => {
        const isKnown = heard.has(recipient) || recipient.endsWith('@plain.example');
        heard.add(recipient);
        if (!isKnown || recipient.endsWith('@always.example')) {
          return { code: 450, text: '4.2.0 Greylisted, try again later' };
        }
        const isMailbox = /^(ada|bob|eve|mia)@/.test(recipient);
        return isMailbox ? undefined : { code: 550, text: '5.1.1 No such user' };
      },
      { host: '0.0.0.0' },
    );
  });
  afterEach(async () => {
    for (const platform of open.splice(0)) {
      expect(await audit(platform.context.database)).to.deep.equal([]);
      await platform.close();
    }
  });
  after(async () => {
    await names.close();
    await server.close();
  });

  async function start(greylistMs: number) {
    const platform = await TestPlatform.open({
      env: {
        DNS_SERVERS: names.address,
        EGRESS_ALLOW: '127.0.0.0/8',
        SMTP_PROBE_FROM: 'checker@us.example',
        SMTP_PROBE_PORT: String(server.port),
        SMTP_PROBE_PAUSE_MS: '1',
        SMTP_PROBE_GREYLIST_MS: String(greylistMs),
      },
    });
    open.push(platform);
    return platform;
  }
  const ask = async (platform: TestPlatform, { key }: Agent, email: string) => {
    const headers = { prefer: 'respond-async' };
    const route = `GET /api/v1/email/validate/${email}`;
    const { status, body } = await platform.request(route, { key, headers });
    expect(status).to.equal(202);
    return body as { job_id: string; poll: string };
  };
  const answerOf = async (platform: TestPlatform, { key }: Agent, poll: string) => {
    const done = await eventually(
      () => platform.request(`GET ${poll}?wait=20`, { key }),
      ({ body }) => body.status !== 'pending',
    );
    return done.body.result;
  };
  /** The job when it has asked for the first time: it is due again when its delay is over. */
  const whenDeferred = (platform: TestPlatform, id: string, beyondMs: number) =>
    eventually(
      async () => {
        const [job] = await platform.query(
          `select status, attempts, push_after,
                  (extract(epoch from run_at - now()) * 1000)::float8 as ms
             from job where id = $1`,
          [id],
        );
        return job as { status: string; attempts: number; push_after: Date | null; ms: number };
      },
      ({ status, ms, push_after: pushed }) =>
        status === 'pending' && pushed === null && ms > beyondMs,
    );

  it('asks again when the delay is over, and is charged once, for the verdict', async () => {
    const platform = await start(DELAY_MS);
    const agent = await platform.agent();
    const [ada, nobody] = [
      await ask(platform, agent, 'ada@grey.example'),
      await ask(platform, agent, 'nobody@grey.example'),
    ];
    expect(await answerOf(platform, agent, ada.poll)).to.include({
      status: 'deliverable',
      sub_status: 'mailbox_accepted',
      cached: false,
      charged: 0.002,
    });
    expect(await answerOf(platform, agent, nobody.poll)).to.include({
      status: 'undeliverable',
      sub_status: 'mailbox_refused',
      charged: 0.002,
    });
    expect(sessionsFor('ada@grey.example')).to.equal(2);
    expect(sessionsFor('nobody@grey.example')).to.equal(2);
    expect(await platform.balance(agent)).to.equal(0.496);
  });

  it('says so of one that defers again', async () => {
    const platform = await start(DELAY_MS);
    const agent = await platform.agent();
    const { poll } = await ask(platform, agent, 'ada@always.example');
    expect(await answerOf(platform, agent, poll)).to.include({
      status: 'risky',
      sub_status: 'greylisted',
      charged: 0.002,
    });
    expect(sessionsFor('ada@always.example')).to.equal(2);
    expect(await platform.balance(agent)).to.equal(0.498);
  });

  it('does not ask, answer or charge before the delay is over', async () => {
    const platform = await start(3_600_000);
    const agent = await platform.agent();
    const { job_id: id } = await ask(platform, agent, 'bob@grey.example');
    const job = await whenDeferred(platform, id, 3_000_000);
    expect(job.attempts).to.equal(0);
    await platform.query('update job set run_at = now() where id = $1', [id]);
    await eventually(
      async () => (await platform.query('select run_at from job where id = $1', [id]))[0],
      ({ run_at: at }) => at === null || at > new Date(Date.now() + 3_000_000),
    );
    await whenDeferred(platform, id, 3_000_000);
    expect(sessionsFor('bob@grey.example')).to.equal(1);
    expect(await platform.balance(agent)).to.equal(0.5);
  });

  it('goes on after its worker has ended, and after Redis has lost everything', async () => {
    const platform = await start(DELAY_MS);
    const agent = await platform.agent();
    const { job_id: id, poll } = await ask(platform, agent, 'eve@grey.example');
    await whenDeferred(platform, id, 0);
    await platform.pauseWorkers();
    await clearRedis(platform);
    await platform.resumeWorkers();
    expect(await answerOf(platform, agent, poll)).to.include({
      sub_status: 'mailbox_accepted',
      charged: 0.002,
    });
    expect(await platform.balance(agent)).to.equal(0.498);
  });

  it('has the other addresses of a batch asked for meanwhile, once', async () => {
    const platform = await start(DELAY_MS);
    const agent = await platform.agent();
    const emails = ['mia@grey.example', 'ada@plain.example', 'nobody@plain.example'];
    const { body } = await platform.request('POST /api/v1/email/validate?wait=0', {
      key: agent.key,
      body: { emails },
    });
    const { results, charged } = await answerOf(platform, agent, body.poll);
    expect(charged).to.equal(0.006);
    const found = results.map(({ sub_status }: { sub_status: string }) => sub_status);
    expect(found).to.deep.equal(['mailbox_accepted', 'mailbox_accepted', 'mailbox_refused']);
    for (const email of emails.slice(1)) expect(sessionsFor(email)).to.equal(1);
    expect(await platform.balance(agent)).to.equal(0.494);
  });
});
