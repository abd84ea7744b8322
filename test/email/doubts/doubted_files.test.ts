import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { eventually, TestPlatform } from '../../harness.ts';
import type { NameServer } from '../../name_server.ts';
import { runTimer } from '../../orders/trade.ts';
import { startMailServer, type MailServer } from '../smtp/mail_server.ts';
import { startZone } from '../zone.ts';

describe('a file of addresses at a mail host that refuses every mailbox', function () {
  this.timeout(60_000);

  let platform: TestPlatform;
  let names: NameServer;
  let server: MailServer;
  before(async () => {
    names = await startZone({
      'all.example': { MX: ['mx.all.example'] },
      'mx.all.example': { A: ['127.0.3.9'] },
    });
    const refused = { code: 550, text: '5.1.1 No such user' };
    server = await startMailServer(() => refused, { host: '127.0.3.9' });
    platform = await TestPlatform.open({
      env: {
        DNS_SERVERS: names.address,
        EGRESS_ALLOW: '127.0.0.0/8',
        SMTP_PROBE_FROM: 'checker@us.example',
        SMTP_PROBE_PORT: String(server.port),
        SMTP_PROBE_PAUSE_MS: '1',
        SMTP_PROBE_REFUSALS: '3',
      },
    });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
    await names.close();
    await server.close();
  });

  it('has its answers withdrawn when they are given back, and may be asked again', async () => {
    const agent = await platform.agent();
    const call = (route: string, body?: object) => platform.request(route, { ...agent, body });
    const locals = ['a', 'b', 'c', 'd', 'e', 'f'];
    const content = locals.map((local) => `${local}@all.example\n`).join('');
    const { body: file } = await call('POST /api/v1/email/files', { content });
    const path = `/api/v1/email/files/${file.file_id}`;
    const validated = async () => {
      const { body } = await call(`POST ${path}/validate?wait=25`, {});
      if (!body.poll) return body;
      const done = await eventually(
        () => call(`GET ${body.poll}?wait=20`),
        ({ body: job }) => job.status !== 'pending',
      );
      return done.body.result;
    };
    const results = async () =>
      (await call(`GET ${path}/results`)).body.rows.map(({ result }: { result: object }) => result);

    expect(await validated()).to.include({ status: 'complete', charged: 0.012 });
    expect(await platform.balance(agent)).to.equal(0.488);
    // The doubt is known, so the others are not asked about postmaster again.
    const asked = server.recipients.filter((one) => one.startsWith('postmaster@'));
    expect(asked).to.have.length(1);

    const [refund] = await runTimer(platform, 'refund_doubted_answers');
    expect(refund).to.deep.equal({ refunded: 6, failed: 0 });
    expect(await platform.balance(agent)).to.equal(0.5);
    for (const result of await results()) {
      expect(result).to.include({
        status: 'unknown',
        sub_status: 'host_in_doubt',
        valid: true,
        score: 0.5,
        mailbox_asked: false,
        is_catch_all: null,
        reachable: 'unknown',
        charged: 0,
      });
    }
    const { body: shown } = await call(`GET ${path}`);
    expect(shown.results).to.include({ undeliverable: 0, unknown: 6 });

    expect(await validated()).to.include({ status: 'complete', charged: 0 });
    expect(await platform.balance(agent)).to.equal(0.5);
  });
});
