import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { asOwner } from '../../as_owner.ts';
import { operator } from '../../console/browser_like.ts';
import { eventually, TestPlatform } from '../../harness.ts';
import type { NameServer } from '../../name_server.ts';
import { runTimer } from '../../orders/trade.ts';
import { startMailServer, type MailServer, type RecipientPolicy } from '../smtp/mail_server.ts';
import { startZone } from '../zone.ts';

/** Refusals in a row at one host after which it may be in doubt. */
const REFUSALS = 3;
const ANN = { name: 'ann', secret: 'a-token-of-ann-for-the-tests-1' };

interface Agent {
  readonly id: number;
  readonly key: string;
}

describe('a mail host that refuses every mailbox', function () {
  this.timeout(60_000);

  let platform: TestPlatform;
  let names: NameServer;
  let known: Set<string>;
  const servers: MailServer[] = [];
  const zone: Record<string, { MX?: string[]; A?: string[] }> = {};
  let machine = 10;

  const policy: RecipientPolicy = (recipient) =>
    known.has(recipient) ? undefined : { code: 550, text: '5.1.1 No such user' };
  /** A domain whose mail host, a machine of its own, knows these mailboxes. */
  async function domainWith(...mailboxes: readonly string[]): Promise<string> {
    machine += 1;
    const domain = `d${machine}.example`;
    const host = `127.0.3.${machine}`;
    zone[domain] = { MX: [`mx.${domain}`] };
    zone[`mx.${domain}`] = { A: [host] };
    for (const local of mailboxes) known.add(`${local}@${domain}`);
    servers.push(await startMailServer(policy, { host, port: servers[0]!.port }));
    return domain;
  }

  before(async () => {
    known = new Set();
    names = await startZone(zone);
    servers.push(await startMailServer(policy, { host: '127.0.3.10' }));
    platform = await TestPlatform.open({
      env: {
        DNS_SERVERS: names.address,
        EGRESS_ALLOW: '127.0.0.0/8',
        SMTP_PROBE_FROM: 'checker@us.example',
        OPERATOR_TOKENS: `${ANN.name}:${ANN.secret}`,
        SMTP_PROBE_PORT: String(servers[0]!.port),
        SMTP_PROBE_PAUSE_MS: '1',
        SMTP_PROBE_REFUSALS: String(REFUSALS),
      },
    });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
    await names.close();
    await Promise.all(servers.map((server) => server.close()));
  });

  async function ask({ key }: Agent, email: string) {
    const route = `GET /api/v1/email/validate/${email}?wait=25`;
    const { body } = await platform.request(route, { key });
    if (!body.poll) return body;
    const done = await eventually(
      () => platform.request(`GET ${body.poll}?wait=20`, { key }),
      ({ body: job }) => job.status !== 'pending',
    );
    return done.body.result;
  }
  const sold = { status: 'undeliverable', sub_status: 'mailbox_refused', charged: 0.002 };
  const doubted = { status: 'unknown', sub_status: 'host_in_doubt', charged: 0 };
  async function askForNobody(
    agent: Agent,
    domain: string,
    count = REFUSALS,
    wanted: object = sold,
  ) {
    for (let n = 0; n < count; n += 1) {
      const email = `nobody${n}.of${agent.id}@${domain}`;
      expect(await ask(agent, email), email).to.include(wanted);
    }
  }
  const refund = async () => {
    const [answer] = await runTimer(platform, 'refund_doubted_answers');
    return answer as { refunded: number; failed: number };
  };
  /** Ends the doubts of this host, as an hour does. */
  const endDoubts = () =>
    asOwner(platform, 'update mail_doubt set ends_at = clock_timestamp() where ends_at > now()');

  it('is not believed any more by its tree: what it was charged is given back', async () => {
    const domain = await domainWith();
    const agent = await platform.agent();
    await askForNobody(agent, domain);
    expect(await platform.balance(agent)).to.equal(0.494);
    expect(await ask(agent, `grace@${domain}`)).to.include(doubted);
    expect(await refund()).to.deep.equal({ refunded: REFUSALS, failed: 0 });
    expect(await platform.balance(agent)).to.equal(0.5);
    const { body } = await platform.request('GET /api/v1/wallet/statement', { key: agent.key });
    const refunds = body.entries.filter(({ kind }: { kind: string }) => kind === 'email.refund');
    expect(refunds.map(({ amount }: { amount: number }) => amount)).to.deep.equal(
      Array.from({ length: REFUSALS }, () => 0.002),
    );
    expect(await refund()).to.deep.equal({ refunded: 0, failed: 0 });
    expect(await platform.balance(agent)).to.equal(0.5);
  });

  it('is believed by others, whom one tree cannot keep from being answered', async () => {
    const domain = await domainWith();
    const agent = await platform.agent({ usd: 1 });
    await askForNobody(agent, domain);
    const other = await platform.agent();
    expect(await ask(other, `linus@${domain}`)).to.include(sold);
    expect(await ask(agent, `linus@${domain}`)).to.include(doubted);
    expect((await refund()).refunded).to.equal(REFUSALS);
    expect(await platform.balance(other)).to.equal(0.498);
  });

  it('is believed by nobody if it refused mailboxes of three trees that have paid', async () => {
    const domain = await domainWith();
    const payers = [];
    for (let n = 0; n < 3; n += 1) payers.push(await platform.agent({ usd: 1 }));
    for (const payer of payers) await askForNobody(payer, domain, 1);
    const other = await platform.agent();
    expect(await ask(other, `linus@${domain}`)).to.include(doubted);
    expect((await refund()).refunded).to.equal(3);
    for (const payer of payers) expect(await platform.balance(payer)).to.equal(1.5);
  });

  it('is believed by others whatever trees without cash have asked for', async () => {
    const domain = await domainWith();
    for (let n = 0; n < 4; n += 1) await askForNobody(await platform.agent(), domain, 1);
    expect(await ask(await platform.agent(), `linus@${domain}`)).to.include(sold);
  });

  it('is believed if it accepts postmaster, however many refusals there are', async () => {
    const domain = await domainWith('postmaster');
    const agent = await platform.agent();
    await askForNobody(agent, domain, 3 * REFUSALS);
    const asked = servers.at(-1)!.recipients.filter((one) => one === `postmaster@${domain}`);
    expect(asked).to.have.length(3);
    expect(await refund()).to.deep.equal({ refunded: 0, failed: 0 });
  });

  it('is doubted from when it last accepted postmaster', async () => {
    const domain = await domainWith('postmaster');
    const agent = await platform.agent();
    await askForNobody(agent, domain);
    known.delete(`postmaster@${domain}`);
    for (const name of ['x', 'y', 'z'])
      expect(await ask(agent, `${name}@${domain}`)).to.include(sold);
    expect(await ask(agent, `linus@${domain}`)).to.include(doubted);
    expect((await refund()).refunded).to.equal(3);
  });

  it('is believed as long as it was not asked for postmaster', async () => {
    const domain = await domainWith();
    const agent = await platform.agent();
    const { redis } = platform.context.queue;
    for (let n = 0; n < REFUSALS + 1; n += 1) {
      expect(await ask(agent, `nobody${n}@${domain}`)).to.include(sold);
      // Redis may lose its counts.
      const keys = await redis.keys(`${platform.prefix}:mail:refused:*`);
      if (keys.length > 0) await redis.del(...keys);
    }
    expect(servers.at(-1)!.recipients).not.to.include(`postmaster@${domain}`);
    expect(await refund()).to.deep.equal({ refunded: 0, failed: 0 });
  });

  it('is believed if it accepts a mailbox in between', async () => {
    const domain = await domainWith('ada');
    const agent = await platform.agent();
    await askForNobody(agent, domain, REFUSALS - 1);
    expect(await ask(agent, `ada@${domain}`)).to.include({ sub_status: 'mailbox_accepted' });
    for (const name of ['x', 'y']) expect(await ask(agent, `${name}@${domain}`)).to.include(sold);
    expect(await ask(agent, `grace@${domain}`)).to.include(sold);
    expect(await ask(agent, `linus@${domain}`)).to.include(doubted);
    expect((await refund()).refunded).to.equal(3);
  });

  it('counts a mailbox that is asked for again once', async () => {
    const domain = await domainWith();
    await askForNobody(await platform.agent(), domain, REFUSALS - 1);
    const agent = await platform.agent();
    for (let n = 0; n < REFUSALS + 1; n += 1) {
      expect(await ask(agent, `nobody@${domain}`)).to.include(sold);
    }
    expect(servers.at(-1)!.recipients).to.include(`postmaster@${domain}`);
    expect(await refund()).to.deep.equal({ refunded: 0, failed: 0 });
  });

  it('is believed again after an hour, and not what it said before', async () => {
    const domain = await domainWith();
    const agent = await platform.agent();
    await askForNobody(agent, domain);
    known.add(`ada@${domain}`);
    expect(await ask(agent, `ada@${domain}`)).to.include(doubted);
    await endDoubts();
    known.add(`bob@${domain}`);
    expect(await ask(agent, `bob@${domain}`)).to.include({
      sub_status: 'mailbox_accepted',
      charged: 0.002,
    });
    // It is known from before.
    expect(await ask(agent, `nobody0.of${agent.id}@${domain}`)).to.include(doubted);
    expect((await refund()).refunded).to.equal(REFUSALS);
  });

  it('has each address of a batch given back, once, whoever does so', async () => {
    const domain = await domainWith();
    const agent = await platform.agent();
    const emails = Array.from({ length: 5 }, (_, n) => `nobody${n}@${domain}`);
    const { body } = await platform.request('POST /api/v1/email/validate?wait=0', {
      key: agent.key,
      body: { emails },
    });
    const done = await eventually(
      () => platform.request(`GET ${body.poll}?wait=20`, { key: agent.key }),
      ({ body: job }) => job.status !== 'pending',
    );
    expect(done.body.result.charged).to.equal(0.01);
    const counts = await Promise.all([refund(), refund(), refund()]);
    expect(counts.reduce((sum, { refunded }) => sum + refunded, 0)).to.equal(5);
    expect(await platform.balance(agent)).to.equal(0.5);
  });

  it('is shown to operators, with what was given back', async () => {
    const { body } = await platform.request('GET /api/v1/admin/mail-reputation', {
      key: ANN.secret,
    });
    expect(body.doubts[0]).to.include({ for_all: false, mailboxes: 5, refunded: 0.01 });
    expect(body.doubts.map((one: { for_all: boolean }) => one.for_all)).to.include(true);
    const [{ replies, refused, doubted: given }] = body.providers;
    expect(replies).to.be.above(refused);
    expect(given).to.be.above(0);
    const { text } = await (await operator(platform, ANN)).get('/admin/rails');
    expect(text).to.include('Mail hosts').and.include(body.doubts[0].machine);
  });
});
