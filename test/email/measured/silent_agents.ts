import { monitorEventLoopDelay } from 'node:perf_hooks';

import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import type { Goals } from '../../faults/stalls.ts';
import { eventually, TestPlatform } from '../../harness.ts';
import type { NameServer } from '../../name_server.ts';
import { startZone, type Name } from '../zone.ts';
import { answered } from './answered.ts';

/** Each with an account of its own and a zone of its own: no share of one of them is used up. */
const ATTACKERS = 20;
const CALLS_EACH = 10;
/** Calls of each attacker where nothing is measured. */
const CALLS_EACH_FEW = 2;
const HONEST_CALLS = 480;
/** Calls of the honest caller where nothing is measured. */
const CALLS_FEW = 10;
const STALL_MS_MAX = 100;
/** Maximum time of any call, also where the machine is busy. */
const SLOWEST_MS_MAX = 10_000;

export const silentAgents = (goals: Goals) =>
  describe('validate_email beside many agents whose name servers never answer', function () {
    this.timeout(120_000);

    const callsEach = goals.areMeasured ? CALLS_EACH : CALLS_EACH_FEW;
    let platform: TestPlatform;
    let names: NameServer;
    before(async () => {
      const silent = Array.from({ length: ATTACKERS }, (_, n) => [
        `*.zone${n}.example`,
        'no answer',
      ]);
      names = await startZone({
        '*.mail.example': { MX: ['mx.mail.example'] },
        ...(Object.fromEntries(silent) as Record<string, Name>),
      });
      platform = await TestPlatform.open({ env: { DNS_SERVERS: names.address } });
    });
    after(async () => {
      expect(await audit(platform.context.database)).to.deep.equal([]);
      await platform.close();
      await names.close();
    });

    let [runs, domains] = [0, 0];
    async function honestTimes(agent: { key: string }): Promise<number[]> {
      const times: number[] = [];
      while (times.length < (goals.areMeasured ? HONEST_CALLS : CALLS_FEW)) {
        const from = performance.now();
        domains += 1; // None of them was looked up before.
        const body = await answered(platform, `ada@d${domains}.mail.example`, agent);
        expect(body.sub_status).to.equal('domain_accepts_mail');
        times.push(performance.now() - from);
      }
      return times;
    }

    goals.it(`is answered beside ${ATTACKERS * callsEach} calls`, async () => {
      runs += 1;
      const honest = await platform.agent({ usd: 10 });
      const attackers: { key: string }[] = [];
      for (let n = 0; n < ATTACKERS; n += 1) attackers.push(await platform.agent({ usd: 1 }));
      await honestTimes(honest); // What a process does for the first time takes longer.
      const quiet = await honestTimes(honest);

      const asked = names.asked.length;
      const leave = new AbortController();
      const { signal } = leave;
      let unanswered = 0;
      const attacks = attackers.flatMap(({ key }, n) =>
        Array.from({ length: callsEach }, async (_, call) => {
          const headers = { authorization: `Bearer ${key}` };
          for (let again = 0; !signal.aborted; again += 1) {
            const email = `ada@n${call}-${again}-${runs}.zone${n}.example`;
            const path = `/api/v1/email/validate/${email}?wait=10`;
            const answer = await fetch(platform.url + path, { headers, signal }).catch(() => null);
            if (answer?.status !== 200) continue;
            expect(await answer.json()).to.include({ sub_status: 'dns_time_out', charged: 0 });
            unanswered += 1;
          }
        }),
      );
      // All of them have been recorded, and as many as may be are being looked up.
      await eventually(
        async () => names.asked.length,
        (now) => now >= asked + callsEach * ATTACKERS,
      );
      const loop = monitorEventLoopDelay({ resolution: 10 });
      loop.enable();
      const attacked = await honestTimes(honest);
      loop.disable();
      await eventually(
        async () => unanswered,
        (count) => count >= ATTACKERS,
      );
      leave.abort();
      await Promise.all(attacks);

      for (const attacker of attackers) expect(await platform.balance(attacker)).to.equal(1.5);
      goals.expectGoal('the slowest beside them', Math.max(...attacked), SLOWEST_MS_MAX);
      for (const percent of [50, 99]) goals.expectTwice(percent, quiet, attacked);
      goals.expectGoal('the longest stall of the event loop', loop.max / 1e6, STALL_MS_MAX);
    });
  });
