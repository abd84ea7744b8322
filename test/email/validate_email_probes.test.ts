import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { eventually, TestPlatform } from '../harness.ts';
import type { NameServer } from '../name_server.ts';
import { startMailServer, type MailServer } from './smtp/mail_server.ts';
import { startZone } from './zone.ts';

interface JobRow {
  readonly run_at: Date | null;
}

describe('validate_email with probes of mail servers', function () {
  this.timeout(60_000);

  let platform: TestPlatform;
  let names: NameServer;
  let server: MailServer;
  /** The mail server waits for this before it answers. */
  let word: Promise<void> | undefined;
  before(async () => {
    names = await startZone({
      'mail.example': { MX: ['mx.mail.example'] },
      'mx.mail.example': { A: ['127.0.0.1'] },
      'inner.example': { MX: ['mx.inner.example'] },
      'mx.inner.example': { A: ['10.0.0.1'] },
      'yahoo.example': { MX: ['mta5.am0.yahoodns.net'] },
      'mta5.am0.yahoodns.net': { A: ['127.0.0.1'] },
      'all.example': { MX: ['mx.mail.example'] },
      'silent.example': { MX: ['mx.silent.example'] },
      'mx.silent.example': { A: ['127.0.0.2'] },
      'ascii.example': { MX: ['mx.ascii.example'] },
      'mx.ascii.example': { A: ['127.0.0.3'] },
      'blocked.example': { MX: ['mx.blocked.example'] },
      'mx.blocked.example': { A: ['127.0.0.1'] },
    });
    server = await startMailServer(async (recipient) => {
      await word;
      if (recipient === 'ada@mail.example') return undefined;
      if (/@(yahoo|all)\.example$/.test(recipient)) return undefined;
      const isBlocked = recipient.endsWith('@blocked.example');
      return isBlocked
        ? { code: 554, text: '5.7.1 blocked using an RBL' }
        : { code: 550, text: '5.1.1 No such user' };
    });
    platform = await TestPlatform.open({
      env: {
        DNS_SERVERS: names.address,
        EGRESS_ALLOW: '127.0.0.0/8',
        SMTP_PROBE_PAUSE_MS: '50',
        SMTP_PROBE_FROM: 'checker@us.example',
        SMTP_PROBE_PORT: String(server.port),
      },
    });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
    await names.close();
    await server.close();
  });

  const ask = async (agent: { key: string }, email: string) =>
    (await platform.request(`GET /api/v1/email/validate/${email}`, agent)).body;

  it('asks for one mailbox after the other at a mail server, and the others wait', async () => {
    const agent = await platform.agent();
    let speak!: () => void;
    word = new Promise((resolve) => (speak = resolve));
    const ada = ask(agent, 'ada@mail.example');
    await eventually(
      async () => server.recipients.length,
      (count) => count > 0,
    );
    const headers = { prefer: 'respond-async' };
    const route = 'GET /api/v1/email/validate/bob@mail.example';
    const { body: bob } = await platform.request(route, { key: agent.key, headers });
    // A server that takes its time holds no place of the worker: the job is put off, and no
    // attempt of it is counted.
    const jobs = `select run_at, status from job
                   where operation = 'validate_email' and agent_id = $1`;
    const rows = await eventually(
      () => platform.query(jobs, [agent.id]),
      (found) => found.length === 2 && found.every((job: JobRow) => job.run_at),
    );
    for (const { status } of rows) expect(status).to.equal('pending');
    expect(server.sessions.count).to.equal(1);
    speak();
    expect(await ada).to.include({
      status: 'deliverable',
      sub_status: 'mailbox_accepted',
      score: 1,
      mailbox_asked: true,
      is_catch_all: false,
      reachable: 'safe',
      charged: 0.002,
    });
    const done = await platform.request(`GET ${bob.poll}?wait=20`, agent);
    expect(done.body.result).to.include({
      status: 'undeliverable',
      sub_status: 'mailbox_refused',
      reachable: 'invalid',
      charged: 0.002,
    });
    expect(server.sessions).to.deep.equal({ count: 2, concurrentMax: 1 });
    expect(await platform.balance(agent)).to.equal(0.496);
  });

  it('puts a job off as often as it takes, and counts no attempt', async () => {
    const agent = await platform.agent();
    let speak!: () => void;
    word = new Promise((resolve) => (speak = resolve));
    const headers = { prefer: 'respond-async' };
    const route = 'GET /api/v1/email/validate/slow@mail.example';
    const { body } = await platform.request(route, { key: agent.key, headers });
    const job = async () =>
      (await platform.query('select * from job where id = $1', [body.job_id]))[0];
    // More often than a job is attempted; while it is, this attempt counts.
    for (let times = 0; times < 10; times += 1) {
      const { run_at: runAt } = await eventually(
        job,
        ({ run_at: at, push_after: pushed, attempts }) => at && !pushed && attempts === 0,
      );
      await platform.query('update job set run_at = now() where id = $1', [body.job_id]);
      await eventually(job, ({ attempts }) => attempts === 1);
      expect(runAt).to.be.a('date');
    }
    speak();
    const done = await platform.request(`GET ${body.poll}?wait=20`, agent);
    expect(done.body.result).to.include({ sub_status: 'mailbox_refused', charged: 0.002 });
    expect(server.recipients.filter((one) => one.startsWith('slow'))).to.have.length(1);
  });

  it('says that it has an answer of an earlier call, and of when', async () => {
    word = undefined;
    const agent = await platform.agent();
    const first = await ask(agent, 'cached@mail.example');
    expect(first).to.include({ sub_status: 'mailbox_refused', cached: false });
    expect(first.smtp_banner_seen).to.equal(true);
    // The database's time, by which answers are dated.
    const [{ now }] = await platform.query('select clock_timestamp() as now');
    const again = await ask(agent, 'cached@mail.example');
    expect(again).to.include({ sub_status: 'mailbox_refused', cached: true, charged: 0.002 });
    expect(again.smtp_banner_seen).to.equal(true);
    expect(Date.parse(again.checked_at)).to.be.at.most(now.getTime());
    expect(server.recipients.filter((one) => one.startsWith('cached'))).to.have.length(1);
  });

  it('says which providers accept every mailbox at first, and sells none as valid', async () => {
    const agent = await platform.agent();
    expect(await ask(agent, 'ada@yahoo.example')).to.include({
      status: 'risky',
      sub_status: 'provider_not_askable',
      provider: 'Yahoo',
      mailbox_asked: true,
      is_catch_all: null,
      reachable: 'unknown',
      score: 0.6,
      charged: 0.002,
    });
    const other = await ask(agent, 'ada@all.example');
    expect(other).to.include({ sub_status: 'catch_all', is_catch_all: true, reachable: 'risky' });
  });

  it('sees no banner where nobody listens', async () => {
    const silent = await ask(await platform.agent(), 'ada@silent.example');
    expect(silent).to.include({ sub_status: 'probe_failed', smtp_banner_seen: false, charged: 0 });
  });

  it('connects to no address that is not public', async () => {
    expect(await ask(await platform.agent(), 'ada@inner.example')).to.include({
      status: 'undeliverable',
      sub_status: 'no_mail_server',
      mx_found: false,
    });
  });

  it('asks nothing of a server that takes no international addresses', async () => {
    const old = await startMailServer(() => undefined, {
      onlyAscii: true,
      host: '127.0.0.3',
      port: server.port,
    });
    const agent = await platform.agent();
    expect(await ask(agent, 'josé@ascii.example')).to.include({
      status: 'undeliverable',
      sub_status: 'mailbox_refused',
      mailbox_asked: false,
      is_catch_all: null,
      has_full_inbox: null,
      is_disabled: null,
      reachable: 'invalid',
      smtp_banner_seen: true,
    });
    const replies = 'select count(*)::int as n from mail_reply where root_id = $1';
    expect(await platform.query(replies, [agent.id])).to.deep.equal([{ n: 0 }]);
    expect(old.recipients).to.deep.equal([]);
    await old.close();
  });

  it('charges nothing when a server turns us away, and does not ask it again', async () => {
    const agent = await platform.agent();
    expect(await ask(agent, 'ada@blocked.example')).to.include({
      status: 'unknown',
      sub_status: 'probe_failed',
      mx_found: true,
      charged: 0,
    });
    expect(await platform.balance(agent)).to.equal(0.5);
    expect(await ask(agent, 'bob@blocked.example')).to.include({
      sub_status: 'mailbox_not_asked',
      charged: 0,
    });
    expect(server.recipients.filter((one) => one.endsWith('@blocked.example'))).to.have.length(1);
  });
});
