import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { logMeasurement } from '../faults/market.ts';
import { TestPlatform } from '../harness.ts';
import type { NameServer } from '../name_server.ts';
import { startZone } from './zone.ts';

describe('validate_email beside an agent whose domains never answer', function () {
  this.timeout(60_000);

  let platform: TestPlatform;
  let names: NameServer;
  before(async () => {
    names = await startZone({
      '*.mail.example': { MX: ['mx.mail.example'] },
      ...Object.fromEntries(
        Array.from({ length: 20 }, (_, n) => [`*.silent${n}.example`, 'no answer' as const]),
      ),
      '*.one.example': 'no answer',
    });
    platform = await TestPlatform.open({ env: { DNS_SERVERS: names.address } });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
    await names.close();
  });

  const validate = (agent: { key: string }, emails: string[]) =>
    platform.request('POST /api/v1/email/validate?wait=25', { key: agent.key, body: { emails } });
  const emails = (count: number, domainOf: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => `ada@n${n}.${domainOf(n)}`);

  let domains = 0;
  for (const [whose, domainOf] of [
    ['of one zone', () => 'one.example'],
    ['of many zones', (n) => `silent${n % 20}.example`],
  ] as [string, (n: number) => string][]) {
    it(`is answered at once for other agents: ${whose}`, async () => {
      const [attacker, honest] = [await platform.agent({ usd: 5 }), await platform.agent()];
      const asked = names.asked.length;
      const attack = validate(attacker, emails(400, domainOf));
      while (names.asked.length < asked + 10) await new Promise(setImmediate);
      const times: number[] = [];
      for (let n = 0; n < 20; n += 1) {
        const from = performance.now();
        domains += 1; // None of them was looked up before.
        const { body } = await platform.request(
          `GET /api/v1/email/validate/ada@d${domains}.mail.example`,
          { key: honest.key },
        );
        expect(body.sub_status).to.equal('domain_accepts_mail');
        times.push(performance.now() - from);
      }
      logMeasurement('slowest of 20 validations meanwhile', Math.max(...times));
      expect(Math.max(...times)).to.be.below(1_500);
      const { body } = await attack;
      expect(body).to.include({ answered: 0, charged: 0 });
      expect(await platform.balance(attacker)).to.equal(5.5);
    });
  }
});
