import { once } from 'node:events';

import { expect } from 'chai';
import type { Answer } from 'dns-packet';

import { audit } from '../../../shared/composition/audit.ts';
import { child, endChildren, openPlatform, type Child } from '../../faults/children.ts';
import { percentile } from '../../faults/market.ts';
import { twice, type Goals } from '../../faults/stalls.ts';
import { eventually, type TestPlatform } from '../../harness.ts';
import { startNameServer, type NameServer } from '../../name_server.ts';
import { CHARACTERS } from '../smtp/characters.ts';
import type { Measured } from './measured_worker.ts';
import { answered } from './answered.ts';

const NAMES = Object.keys(CHARACTERS);
/** Machines of each character, for each of the agents that ask for them. */
const EACH = 10;
const ATTACKERS = 3;
/** Calls of an honest caller: more are made while their p99 is not within its goal yet. */
const CALLS_MIN = 120;
const CALLS_MAX = 480;
/** Calls where nothing is measured. */
const CALLS_FEW = 10;
const CALLS_MS = 4_000;
const STALL_MS_MAX = 100;
const RSS_MB_MAX = 512;

/** Maximum time of any call, also where the machine is busy. */
const SLOWEST_MS_MAX = 10_000;

export const hostileMail = (goals: Goals) =>
  describe('validate_email beside agents that name hostile mail servers', function () {
    this.timeout(180_000);

    let platform: TestPlatform;
    let names: NameServer;
    let worker: Child;
    before(async () => {
      names = await startNameServer(recordsOf);
      platform = await openPlatform({ workers: false, env: { DNS_SERVERS: names.address } });
      const peers = await child(platform, 'test/email/smtp/mail_peers.ts');
      worker = await child(platform, 'test/email/measured/measured_worker.ts', {
        EGRESS_ALLOW: '127.0.0.0/8',
        SMTP_PROBE_FROM: 'checker@us.example',
        SMTP_PROBE_PORT: new URL(peers.url).port,
      });
    });
    after(async () => {
      await endChildren();
      expect(await audit(platform.context.database)).to.deep.equal([]);
      await platform.close();
      await names.close();
    });

    async function measured(): Promise<Measured> {
      const answer = once(worker.process, 'message');
      worker.process.send('measure');
      return (await answer)[0] as Measured;
    }

    let domains = 0;
    /** How long validations take, one after the other, each of a machine of its own. */
    async function timesOf(
      agent: { key: string },
      isEnough: (times: readonly number[]) => boolean = () => true,
    ): Promise<number[]> {
      const times: number[] = [];
      const until = goals.areMeasured ? performance.now() + CALLS_MS : 0;
      const isShort = () => performance.now() < until || !isEnough(times);
      if (!goals.areMeasured) isEnough = () => times.length >= CALLS_FEW;
      const callsMin = goals.areMeasured ? CALLS_MIN : CALLS_FEW;
      while (times.length < callsMin || (times.length < CALLS_MAX && isShort())) {
        domains += 1;
        const from = performance.now();
        const body = await answered(platform, `ada@h${domains}.honest.example`, agent);
        times.push(performance.now() - from);
        expect(body).to.include({ sub_status: 'mailbox_accepted', charged: 0.002 });
      }
      return times;
    }

    goals.it('is answered, and the worker stays small', async () => {
      const honest = await platform.agent({ usd: 2 });
      // Redis is new: nobody is asked for a moment. That is no part of what is measured.
      await platform.request('GET /api/v1/email/validate/ada@h0.honest.example?wait=25', honest);
      const quiet = await timesOf(honest);
      const attackers = await Promise.all(
        Array.from({ length: ATTACKERS }, () => platform.agent({ usd: 5 })),
      );
      await measured();
      const jobs = await Promise.all(
        attackers.map(async ({ key }, attacker) => {
          const emails = Array.from({ length: NAMES.length * EACH }, (_, n) => {
            const [character, machine] = [n % NAMES.length, Math.floor(n / NAMES.length)];
            return `ada@c${character}-${attacker * EACH + machine + 1}.hostile.example`;
          });
          const request = { key, body: { emails } };
          return (await platform.request('POST /api/v1/email/validate?wait=0', request)).body;
        }),
      );
      await eventually(
        async () => names.asked.filter((name) => name.includes('hostile')).length,
        (count) => count > NAMES.length * EACH,
      );
      const goalMs = twice(99, quiet);
      const attacked = await timesOf(honest, (times) => percentile(times, 99) < goalMs);
      const { stallMs, machineMs, rssMb } = await measured();
      const pending = await Promise.all(
        jobs.map(({ poll }, n) => platform.request(`GET ${poll}`, attackers[n]!)),
      );
      const atWork = pending.filter(({ body }) => body.status === 'pending').length;
      console.log(`      ${rssMb} MB at most; the machine stalled for ${machineMs} ms in all`);
      if (goals.areMeasured) expect(atWork, 'batches that went on until the end').to.be.at.least(1);
      expect(rssMb).to.be.below(RSS_MB_MAX);
      const calls = 1 + quiet.length + attacked.length;
      expect(await platform.balance(honest)).to.be.closeTo(2.5 - 0.002 * calls, 1e-9);
      goals.expectGoal('p50 beside them', percentile(attacked, 50), 1_000);
      goals.expectGoal('the slowest beside them', Math.max(...attacked), SLOWEST_MS_MAX);
      goals.expectTwice(50, quiet, attacked);
      // Five of 480 calls are slower: that varies by chance.
      goals.expectTwice(99, quiet, attacked, 1.5);
      goals.expectGoal('the longest stall of the worker', stallMs, STALL_MS_MAX + machineMs);
    });
  });

/** Each domain has a mail server of its own, at an address of its own. */
function recordsOf(type: string, name: string): Answer[] | 'NXDOMAIN' {
  const common = { name, ttl: 60 };
  if (type === 'NS') return [{ ...common, type: 'NS', data: 'a.gtld-servers.net' }];
  const [, honest, character, machine] =
    /^(?:mx\.)?(?:h(\d+)\.honest|c(\d+)-(\d+)\.hostile)\.example$/.exec(name) ?? [];
  if (honest === undefined && character === undefined) return 'NXDOMAIN';
  if (type === 'MX') {
    return [{ ...common, type: 'MX', data: { exchange: `mx.${name}`, preference: 10 } }];
  }
  const data = honest
    ? `127.1.${Number(honest) >> 8}.${(Number(honest) % 255) + 1}`
    : `127.2.${character}.${machine}`;
  return type === 'A' ? [{ ...common, type: 'A', data }] : [];
}
