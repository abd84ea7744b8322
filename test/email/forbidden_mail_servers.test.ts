import { isIP } from 'node:net';

import { expect } from 'chai';

import { TestPlatform } from '../harness.ts';
import { FORBIDDEN } from '../platform/egress/forbidden.ts';
import { startMailServer } from './smtp/mail_server.ts';
import { startZone } from './zone.ts';

const addressOf = (host: string) =>
  isIP(host) === 4 ? { A: [host] } : isIP(host) === 6 ? { AAAA: [host] } : {};

describe('validate_email with mail servers in every spelling', function () {
  this.timeout(60_000);

  it('connects to no forbidden address, however a mail server is spelled', async () => {
    const canary = await startMailServer(() => undefined);
    const names = await startZone(
      Object.fromEntries(
        FORBIDDEN.flatMap((host, n) => [
          [host.toLowerCase(), {}],
          [`named${n}.example`, { MX: [host] }],
          [`behind${n}.example`, { MX: [`mx${n}.example`] }],
          [`mx${n}.example`, addressOf(host.replace(/^\[(.*)\]$/, '$1'))],
        ]),
      ),
    );
    const platform = await TestPlatform.open({
      env: {
        DNS_SERVERS: names.address,
        SMTP_PROBE_FROM: 'checker@us.example',
        SMTP_PROBE_PORT: String(canary.port),
      },
    });
    const agent = await platform.agent({ usd: 5 });
    const emails = FORBIDDEN.flatMap((_, n) => [`a@named${n}.example`, `a@behind${n}.example`]);
    emails.push(...FORBIDDEN.map((host) => `a@${host}`), ...FORBIDDEN.map((host) => `a@[${host}]`));
    const { body } = await platform.request('POST /api/v1/email/validate?wait=25', {
      key: agent.key,
      body: { emails },
    });
    expect(body.status).to.equal('complete');
    const led = body.results.filter(({ mx_found }: { mx_found: boolean }) => mx_found);
    expect(led).to.deep.equal([]);
    expect(canary.sessions.count).to.equal(0);
    await platform.close();
    await names.close();
    await canary.close();
  });
});
