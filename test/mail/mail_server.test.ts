import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';

import { openMailer } from '../../workers/gateways/mailer/mailer.ts';
import type { MailServer } from '../../shared/domains/mail/settings.ts';
import { makeCertificate, makeIssuer } from '../platform/egress/certificates.ts';
import { smtpSettings, startReceiver, type MailReceiver } from './mail_receiver.ts';

describe('a mail server', () => {
  const HOST = '127.0.0.2'; // An address of this machine that is not known as one.
  const mail = (to: string) => ({
    to,
    subject: 'Hello',
    text: 'Hello',
    html: '<p>Hello</p>',
    messageId: 'abc',
  });
  const USER = { name: 'market', password: 'p/a:s@s w?rd' };
  const opened: MailReceiver[] = [];
  const start = async (options: Parameters<typeof startReceiver>[0]) => {
    const receiver = await startReceiver(options);
    opened.push(receiver);
    return receiver;
  };
  const sendBy = async (
    { host, port }: MailReceiver,
    server: Partial<MailServer>,
    { to = 'ada@a.example', user = { user: USER } }: { to?: string; user?: object } = {},
  ) =>
    openMailer({
      mode: 'smtp',
      from: 'market@market.example.com',
      server: { host, port, isTls: false, ...user, ...server },
    }).send(mail(to));
  afterEach(async () => {
    for (const receiver of opened.splice(0)) await receiver.close();
  });

  it('that has a certificate which nobody vouches for gets neither mail nor password', async () => {
    const issuer = makeIssuer('an authority that nobody trusts');
    const certificates = [makeCertificate({ host: HOST }), makeCertificate({ host: HOST }, issuer)];
    for (const certificate of certificates) {
      for (const isImplicit of [false, true]) {
        const receiver = await start({ host: HOST, certificate, isImplicit });
        const result = await sendBy(receiver, { isTls: isImplicit });
        expect(result.outcome).to.equal('failed');
        expect('fault' in result && result.fault).to.match(/certificate/);
        const open = await sendBy(receiver, { isTls: isImplicit }, { user: {} });
        expect(open.outcome).to.equal('failed');
        expect([receiver.passwords, receiver.attempts()]).to.deep.equal([[], 0]);
      }
    }
  });

  it('is trusted with a certificate of an authority that NODE_EXTRA_CA_CERTS names', async () => {
    const issuer = makeIssuer('an authority of the operator');
    const certificate = makeCertificate({ host: HOST }, issuer);
    const byStartTls = await start({ host: HOST, certificate });
    const implicit = await start({ host: HOST, certificate, isImplicit: true });
    const folder = mkdtempSync(join(tmpdir(), 'mail-tls-'));
    const trusted = join(folder, 'authority.pem');
    try {
      writeFileSync(trusted, issuer.cert);
      const urls = [
        smtpSettings(byStartTls).SMTP_URL,
        smtpSettings(implicit, 'smtps').SMTP_URL,
        // The certificate is of another host.
        smtpSettings({
          host: '127.0.0.3',
          port: (await start({ host: '127.0.0.3', certificate })).port,
        }).SMTP_URL,
      ];
      const child = await promisify(execFile)(
        process.execPath,
        ['--import', 'tsx', 'test/mail/send_to_all.ts', ...urls],
        { env: { ...process.env, NODE_EXTRA_CA_CERTS: trusted } },
      );
      expect(JSON.parse(child.stdout)).to.deep.equal(['sent', 'sent', 'failed']);
      expect(opened.map(({ passwords }) => passwords)).to.deep.equal([
        [{ isTls: true }],
        [{ isTls: true }],
        [],
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('that offers no TLS gets no password, unless it is within the machine', async () => {
    const far = await start({ host: HOST });
    const result = await sendBy(far, {});
    expect(result.outcome).to.equal('failed');
    expect([far.passwords, far.attempts()]).to.deep.equal([[], 0]);
    const near = await start({});
    expect(await sendBy(near, {})).to.deep.equal({ outcome: 'sent' });
  });

  it('within the machine may have any certificate', async () => {
    const receiver = await start({ certificate: makeCertificate({ host: 'localhost' }) });
    expect(await sendBy(receiver, {})).to.deep.equal({ outcome: 'sent' });
    expect(receiver.mails).to.have.length(1);
  });

  it('gets addresses of any form, and what no server takes is refused at once', async () => {
    const receiver = await start({});
    const addresses = ['"a,b"@a.example', 'zo\u00eb@a.example', 'a+b@a.example'];
    for (const to of addresses) {
      expect(await sendBy(receiver, {}, { to }), to).to.deep.equal({ outcome: 'sent' });
    }
    expect(receiver.named).to.have.length(addresses.length);
    for (const to of ['"a<b>"@a.example', 'a@a.example>\r\nRCPT TO:<b@b.example']) {
      expect((await sendBy(receiver, {}, { to })).outcome, to).to.equal('refused');
    }
    expect(receiver.named).to.have.length(addresses.length);
  });
});
