import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import type { NameServer } from '../name_server.ts';
import { PUBLIC, startZone, type Name } from './zone.ts';
import { patience } from '../platform/pace.ts';

const zone: Record<string, Name> = {
  'mail.example': { MX: ['mx.mail.example'] },
  'address.example': { A: [PUBLIC] },
  'null.example': { MX: ['.'] },
  'nothing.example': {},
  'broken.example': 'SERVFAIL',
  'gmail.com': { MX: ['mx.gmail.example'] },
  'duck.com': { MX: ['mx.duck.example'] },
  'yopmail.com': { MX: ['mx.mail.example'] },
  'mail.com': { MX: ['mx.mail.example'] },
  'work.example': { MX: ['work-example.mail.protection.outlook.com'] },
  'lookalike.example': { MX: ['mail.notoutlook.com'] },
  'mailinator.com': { MX: ['mx.mailinator.example'] },
  'sub.mailinator.com': { MX: ['mx.mailinator.example'] },
  'xn--mnchen-3ya.example': { MX: ['mx.mail.example'] },
};

describe('validate_email', () => {
  let platform: TestPlatform;
  let names: NameServer;
  before(async () => {
    names = await startZone(zone);
    platform = await TestPlatform.open({ env: { DNS_SERVERS: names.address } });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
    await names.close();
  });

  const path = (email: string) => `GET /api/v1/email/validate/${encodeURIComponent(email)}`;
  const ask = (agent: { key: string }, email: string) => platform.request(path(email), agent);

  for (const [email, wanted] of Object.entries({
    'ada@mail.example': {
      status: 'deliverable',
      sub_status: 'domain_accepts_mail',
      valid: true,
      deliverable: true,
      mx_found: true,
      score: 0.8,
    },
    'bob@mail.example': { mailbox_asked: false, is_catch_all: null, reachable: 'unknown' },
    'ada@münchen.example': { status: 'deliverable', mx_found: true, score: 0.8 },
    '"ada l"@MAIL.example': { status: 'deliverable', score: 0.8 },
    'o/neil+x@mail.example': { status: 'deliverable', score: 0.8, role: false },
    'ada@gmail.com': {
      status: 'deliverable',
      free_mail: true,
      is_free: true,
      is_relay: false,
      provider: 'Google',
      did_you_mean: null,
      disposable: false,
      score: 0.8,
    },
    'ada@duck.com': { is_relay: true, disposable: false, is_free: false, provider: 'DuckDuckGo' },
    'ada@work.example': { provider: 'Microsoft', is_free: false, did_you_mean: null },
    'ada@lookalike.example': { provider: null },
    'ada@gmial.com': { sub_status: 'no_such_domain', did_you_mean: 'ada@gmail.com' },
    'ada@mail.com': { is_free: true, did_you_mean: null },
    'mailto:ada@mail.example': { sub_status: 'bad_syntax', did_you_mean: 'ada@mail.example' },
    'Ada L <ada@mail.example>,': { sub_status: 'bad_syntax', did_you_mean: 'ada@mail.example' },
    'ada@mail.example.': { sub_status: 'bad_syntax', did_you_mean: 'ada@mail.example' },
    'mailto:ada': { sub_status: 'bad_syntax', did_you_mean: null },
    'eve@mail.example': {
      provider: null,
      did_you_mean: null,
      smtp_banner_seen: false,
      cached: false,
      is_role: false,
    },
    'info@mail.example': { status: 'deliverable', role: true, score: 0.7 },
    'Sales+spam@mail.example': { status: 'deliverable', role: true, score: 0.7 },
    'ada@mailinator.com': { status: 'risky', disposable: true, free_mail: false, score: 0.2 },
    'info@sub.mailinator.com': { status: 'risky', disposable: true, role: true, score: 0.1 },
    'ada@address.example': {
      status: 'risky',
      sub_status: 'no_mx',
      valid: true,
      deliverable: true,
      mx_found: false,
      score: 0.4,
    },
    'ada@[8.8.8.8]': { status: 'risky', sub_status: 'address_literal', valid: true, score: 0.1 },
    'ada@[127.0.0.1]': { status: 'undeliverable', sub_status: 'no_mail_server', valid: false },
    'ada@[IPv6:fd00::1]': { status: 'undeliverable', sub_status: 'no_mail_server' },
    'ada@orange.es': { did_you_mean: null },
    'ada@oranges.fr': { did_you_mean: 'ada@orange.fr' },
    'ada@hotmail.co.ik': { did_you_mean: null },
    'ada@hotmail.co': { did_you_mean: 'ada@hotmail.com' },
    'ada@yopmail.com': { disposable: true, did_you_mean: null },
    'ada@null.example': { status: 'undeliverable', sub_status: 'null_mx', valid: false, score: 0 },
    'ada@nothing.example': { status: 'undeliverable', sub_status: 'no_mail_server', valid: false },
    'ada@nobody.example': {
      status: 'undeliverable',
      sub_status: 'no_such_domain',
      valid: false,
      deliverable: false,
      mx_found: false,
      disposable: false,
      score: 0,
    },
    'not an address': { status: 'undeliverable', sub_status: 'bad_syntax', valid: false, score: 0 },
  })) {
    it(`judges ${email}, for $0.002`, async () => {
      const agent = await platform.agent();
      const { status, body } = await ask(agent, email);
      expect(status).to.equal(200);
      expect(body).to.include({ email, charged: 0.002, ...wanted });
      expect(Math.abs(Date.now() - Date.parse(body.checked_at))).to.be.below(patience(10_000));
      expect(await platform.balance(agent)).to.equal(0.498);
    });
  }

  it('costs nothing where the name servers of a domain fail, and says so', async () => {
    const agent = await platform.agent();
    const { status, body } = await ask(agent, 'ada@broken.example');
    expect(status).to.equal(200);
    expect(body).to.include({
      status: 'unknown',
      sub_status: 'dns_failure',
      valid: false,
      score: 0.5,
      charged: 0,
    });
    expect(await platform.balance(agent)).to.equal(0.5);
  });

  it('is to be repeated, and costs nothing, where no domain can be looked up', async () => {
    const without = await TestPlatform.open();
    const agent = await without.agent();
    const { status, body } = await without.request(path('ada@mail.example'), agent);
    expect(status).to.equal(503);
    expect(body).to.include({ error: 'service_unavailable', retryable: true });
    expect(body.details).to.deep.equal({ sub_status: 'no_dns', charged: 0 });
    expect(await without.balance(agent)).to.equal(0.5);
    await without.close();
  });

  it('ignores space around an address', async () => {
    const { body } = await ask(await platform.agent(), ' ada@mail.example\t');
    expect(body).to.include({ email: 'ada@mail.example', status: 'deliverable' });
  });

  for (const [what, route] of Object.entries({
    nothing: 'GET /api/v1/email/validate/',
    'an empty address': 'GET /api/v1/email/validate/?email=',
    space: path(' '),
    '321 characters': path(`${'a'.repeat(309)}@mail.example`),
  })) {
    it(`refuses ${what} free of charge`, async () => {
      const agent = await platform.agent();
      const { status, body } = await platform.request(route, agent);
      expect([status, body.error]).to.deep.equal([422, 'validation_error']);
      expect(body.details.fields[0].pointer).to.equal('/email');
      expect(await platform.balance(agent)).to.equal(0.5);
    });
  }

  it('answers an address of 320 characters, though none can be so long', async () => {
    const { body } = await ask(await platform.agent(), `${'a'.repeat(307)}@mail.example`);
    expect(body).to.include({ sub_status: 'bad_syntax', charged: 0.002 });
  });
});
