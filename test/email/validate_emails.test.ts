import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { eventually, TestPlatform } from '../harness.ts';
import type { NameServer } from '../name_server.ts';
import { holdMail } from './held_mail.ts';
import { startZone, type Name } from './zone.ts';
import { setPolicy } from '../policy.ts';

const zone: Record<string, Name> = {
  'mail.example': { MX: ['mx.mail.example'] },
  'null.example': { MX: ['.'] },
  'broken.example': 'SERVFAIL',
};

describe('validate_emails', function () {
  this.timeout(60_000);

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

  const ask = (agent: { key: string }, emails: unknown, headers: Record<string, string> = {}) =>
    platform.request('POST /api/v1/email/validate?wait=25', {
      key: agent.key,
      body: { emails },
      headers,
    });
  const many = (count: number) => Array.from({ length: count }, (_, n) => `n${n}@mail.example`);
  const blanks = (count: number) => Array.from({ length: count }, () => ' ');

  it('answers each address in the order asked, and charges for what is answered', async () => {
    const agent = await platform.agent();
    const emails = [
      'ada@mail.example',
      'no address',
      'bob@null.example',
      'eve@broken.example',
      'info@MAIL.example',
    ];
    const { status, body } = await ask(agent, emails);
    expect(status).to.equal(200);
    expect(body).to.include({ status: 'complete', count: 5, answered: 4, charged: 0.008 });
    const answers = body.results.map((one: Record<string, unknown>) => [
      one.email,
      one.status,
      one.sub_status,
      one.score,
      one.charged,
    ]);
    expect(answers).to.deep.equal([
      ['ada@mail.example', 'deliverable', 'domain_accepts_mail', 0.8, 0.002],
      ['no address', 'undeliverable', 'bad_syntax', 0, 0.002],
      ['bob@null.example', 'undeliverable', 'null_mx', 0, 0.002],
      ['eve@broken.example', 'unknown', 'dns_failure', 0.5, 0],
      ['info@MAIL.example', 'deliverable', 'domain_accepts_mail', 0.7, 0.002],
    ]);
    expect(await platform.balance(agent)).to.equal(0.492);
  });

  it('charges once for an address that is listed twice', async () => {
    const agent = await platform.agent();
    const { body } = await ask(agent, ['a@mail.example', ' a@MAIL.example', 'A@mail.example']);
    expect(body).to.include({ count: 3, answered: 3, charged: 0.004 });
    const answers = body.results.map(({ email }: { email: string }) => email);
    expect(answers).to.deep.equal(['a@mail.example', 'a@MAIL.example', 'A@mail.example']);
    expect(await platform.balance(agent)).to.equal(0.496);
  });

  it('takes a thousand, looks their domain up once, and delays no other call', async () => {
    const agent = await platform.agent({ usd: 2 });
    const other = await platform.agent();
    zone['thousand.example'] = { MX: ['mx.thousand.example'] };
    const emails = Array.from({ length: 1_000 }, (_, n) => `n${n}@thousand.example`);
    const sent = await platform.request('POST /api/v1/email/validate?wait=0', {
      key: agent.key,
      body: { emails },
    });
    expect(sent.status).to.equal(202);
    const one = await platform.request('GET /api/v1/email/validate/x@mail.example', other);
    expect(one.body).to.include({ status: 'deliverable' });
    const poll = () => platform.request(`GET ${sent.body.poll}?wait=1`, agent);
    const seen = new Set<number>();
    const { body } = await eventually(poll, ({ body: { status, progress } }) => {
      if (progress) {
        expect(progress.total).to.equal(1_000);
        seen.add(progress.done);
      }
      return status !== 'pending';
    });
    expect(body.result).to.include({ status: 'complete', answered: 1_000, charged: 2 });
    expect([...seen]).to.deep.equal([...seen].toSorted((a, b) => a - b)); // It never decreases.
    const asked = names.asked.filter((name) => name === 'MX thousand.example');
    expect(asked).to.have.length(1);
    expect(await platform.balance(agent)).to.equal(0.5);
    const [charges] = await platform.query(
      'select count(*)::int as n, sum(units)::int as units from charge where agent_id = $1',
      [agent.id],
    );
    expect(charges).to.deep.equal({ n: 4, units: 1_000 });
  });

  it('is one call with one key', async () => {
    const agent = await platform.agent();
    const headers = { 'idempotency-key': randomUUID() };
    const replies = await Promise.all(
      Array.from({ length: 3 }, () => ask(agent, many(10), headers)),
    );
    expect(new Set(replies.map(({ text }) => text)).size).to.equal(1);
    expect(replies[0]!.body).to.include({ answered: 10, charged: 0.02 });
    expect((await ask(agent, many(10), headers)).text).to.equal(replies[0]!.text);
    expect((await ask(agent, many(11), headers)).body.error).to.equal('idempotency_conflict');
    expect(await platform.balance(agent)).to.equal(0.48);
  });

  for (const [what, emails] of Object.entries({
    'no list': 'ada@mail.example',
    'an empty list': [],
    'more than a thousand': many(1_001),
    'an empty address': ['ada@mail.example', ''],
    'an address of space': ['ada@mail.example', '  '],
    'an address of 321 characters': ['a'.repeat(321)],
    'a number': [7],
  })) {
    it(`refuses ${what} free of charge`, async () => {
      const agent = await platform.agent();
      const { status, body } = await ask(agent, emails);
      expect([status, body.error]).to.deep.equal([422, 'validation_error']);
      expect(body.details.fields[0].pointer).to.match(/^\/emails(\/\d)?$/);
      expect(await platform.balance(agent)).to.equal(0.5);
    });
  }

  it('names each empty address of a list, up to twenty', async () => {
    const agent = await platform.agent();
    const emails = ['ada@mail.example', ' ', 'bob@mail.example', '\t', ...many(5), ...blanks(30)];
    const { body } = await ask(agent, emails);
    const pointers = body.details.fields.map(({ pointer }: { pointer: string }) => pointer);
    expect(pointers).to.have.length(20);
    expect(pointers.slice(0, 3)).to.deep.equal(['/emails/1', '/emails/3', '/emails/9']);
    expect(await platform.balance(agent)).to.equal(0.5);
  });

  for (const [code, expected, column, value] of [
    ['daily_limit_exceeded', 402, 'daily_spend_limit', 19_999],
    ['tx_limit_exceeded', 402, 'max_spend_per_tx', 19_999],
    ['product_type_not_allowed', 403, 'allowed_product_types', ['dataset']],
  ] as const) {
    it(`validates none where they are too many for a policy: ${code}`, async () => {
      const agent = await platform.agent();
      await setPolicy(platform, agent, { [column]: value });
      const { status, body } = await ask(agent, many(10));
      expect([status, body.error]).to.deep.equal([expected, code]);
      expect(await platform.balance(agent)).to.equal(0.5);
    });
  }

  it('validates none where the money is not enough for all', async () => {
    const agent = await platform.agent();
    const headers = { 'idempotency-key': randomUUID() };
    const { status, body } = await ask(agent, many(251), headers);
    expect([status, body.error]).to.deep.equal([402, 'insufficient_balance']);
    expect(await platform.balance(agent)).to.equal(0.5);
    await platform.fund(agent.id, 1); // The key is still free.
    expect((await ask(agent, many(251), headers)).body).to.include({ charged: 0.502 });
  });

  it('answers what was paid for where the money runs out on the way', async () => {
    const agent = await platform.agent();
    const held = holdMail(platform);
    const call = ask(agent, many(20));
    await eventually(
      async () => held.count,
      (count) => count > 0,
    );
    await setPolicy(platform, agent, { daily_spend_limit: 10000 });
    held.release();
    const { body } = await call;
    expect(body).to.include({ status: 'partial', count: 20, answered: 5, charged: 0.01 });
    const unpaid = body.results.filter(({ status }: { status: string }) => status === 'unpaid');
    expect(unpaid).to.have.length(15);
    for (const one of unpaid) {
      expect(one).to.include({ sub_status: 'daily_limit_exceeded', charged: 0 });
    }
    expect(await platform.balance(agent)).to.equal(0.49);
  });
});
