import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { percentile } from '../../faults/market.ts';
import type { Goals } from '../../faults/stalls.ts';
import { eventually, TestPlatform } from '../../harness.ts';
import type { NameServer } from '../../name_server.ts';
import { startZone } from '../zone.ts';
import { answered } from './answered.ts';

/** The delay that a shared core may add to a call, with or without an attack. */
const JITTER_MS = 30;
/** A worker takes 8 batches of a queue at once; every batch of these calls has a slow one. */
const CALLS = 200;
/** Calls where nothing is measured. */
const CALLS_FEW = 40;

export const silentDomains = (goals: Goals) =>
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
        '*.single.example': 'no answer',
        '*.another.example': 'no answer',
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
    /** How long some validations take, or those that begin before `isOver`. */
    async function timesOf(agent: { key: string }, isOver: () => boolean): Promise<number[]> {
      const times: number[] = [];
      while (times.length < (goals.areMeasured ? 20 : 8) && !isOver()) {
        const from = performance.now();
        domains += 1; // None of them was looked up before.
        const email = `ada@d${domains}.mail.example`;
        const body = await answered(platform, email, agent);
        expect(body.sub_status).to.equal('domain_accepts_mail');
        times.push(performance.now() - from);
      }
      return times;
    }
    for (const [whose, domainOf] of [
      ['of one zone', () => 'single.example'],
      ['of many zones', (n) => `silent${n % 20}.example`],
    ] as [string, (n: number) => string][]) {
      it(`is answered for other agents before theirs has ended: ${whose}`, async () => {
        const [attacker, honest] = [await platform.agent({ usd: 5 }), await platform.agent()];
        const quiet = await timesOf(honest, () => false);
        const asked = names.asked.length;
        let isOver = false;
        const attack = validate(attacker, emails(400, domainOf)).finally(() => (isOver = true));
        await eventually(
          async () => names.asked.length,
          (now) => now >= asked + 10,
        );
        const attacked = await timesOf(honest, () => isOver);
        const { body } = await attack;
        expect(body).to.include({ answered: 0, charged: 0 });
        expect(await platform.balance(attacker)).to.equal(5.5);
        const [before, during] = [quiet, attacked].map((times) => percentile(times, 50));
        goals.logMeasurement('p50 of others, quiet', before!);
        expect(attacked.length, 'validations during the attack').to.be.at.least(5);
        goals.expectGoal('the slowest of others, attacked', Math.max(...attacked), 1_000);
        goals.expectGoal('p50 of others, attacked', during!, 2 * before! + JITTER_MS);
      });
    }

    it('is answered beside more such calls than the workers perform at once', async () => {
      const [attacker, honest] = [await platform.agent({ usd: 5 }), await platform.agent()];
      const quiet = await timesOf(honest, () => false);
      const asked = names.asked.length;
      let isOver = false;
      const statuses: string[] = [];
      const calls = goals.areMeasured ? CALLS : CALLS_FEW;
      const attack = Array.from({ length: calls }, async (_, n) => {
        while (!isOver) {
          const route = `GET /api/v1/email/validate/ada@n${n}.another.example?wait=25`;
          const { status, body } = await platform.request(route, { key: attacker.key });
          if (status === 200) statuses.push(body.sub_status);
        }
      });
      await eventually(
        async () => names.asked.length,
        (now) => now >= asked + 10,
      );
      const attacked = await timesOf(honest, () => false).finally(() => (isOver = true));
      await Promise.all(attack);
      expect(new Set(statuses)).to.deep.equal(new Set(['dns_time_out']));
      expect(await platform.balance(attacker)).to.equal(5.5);
      const [before, during] = [quiet, attacked].map((times) => percentile(times, 50));
      goals.logMeasurement('p50 of others, quiet', before!);
      // These calls take much of the CPU, which others share; before, they waited for seconds.
      goals.expectGoal('p50 of others beside many calls', during!, 1_000);
      goals.expectGoal('p50 of others, attacked', during!, 2 * before! + JITTER_MS);
    });
  });
