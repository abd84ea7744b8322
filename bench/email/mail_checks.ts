import { Resolver } from 'node:dns/promises';

import { readConfig } from '../../shared/composition/config.ts';
import { examine, resultOf } from '../../shared/email/validation.ts';
import { openGateways } from '../../workers/gateways/open.ts';
import { quantile } from '../measure/statistics.ts';

// Email validations as a worker makes them, and the bare DNS queries that they need at least.
const IN_FLIGHT = 100;
const DOMAINS_KNOWN = 100;
/** One tree of agents alone may not have all look-ups in flight. */
const TREES = 4;

const config = readConfig();
const gateways = openGateways(config);
const resolver = new Resolver();
resolver.setServers(config.dnsServers);
let domains = 0;

async function validate(email: string): Promise<void> {
  resultOf(email, await examine(gateways, email, domains % TREES), new Date());
}

const WORK = {
  bare: () => resolver.resolveMx(`n${(domains += 1)}.example`),
  uncached: () => validate(`ada@n${(domains += 1)}.example`),
  cached: () => validate(`ada@known${(domains += 1) % DOMAINS_KNOWN}.example`),
};

interface Question {
  readonly what: keyof typeof WORK;
  readonly warmMs: number;
  readonly ms: number;
}

async function measure({ what, warmMs, ms }: Question) {
  const times: number[] = [];
  const from = performance.now() + warmMs;
  const until = from + ms;
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      for (let sentAt = performance.now(); sentAt < until;) {
        await WORK[what]();
        const now = performance.now();
        if (sentAt >= from && now < until) times.push(now - sentAt);
        sentAt = now;
      }
    }),
  );
  const [p50, p99] = [0.5, 0.99].map((q) => quantile(times, q));
  return { perSecond: (times.length / ms) * 1_000, p50, p99 };
}

process.on('message', (question: Question) => {
  void measure(question).then((answer) => process.send!(answer));
});
process.send!({ port: 0 });
