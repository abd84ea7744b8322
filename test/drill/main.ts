import { parseArgs } from 'node:util';

import { drill } from './drill.ts';
import { told } from './report.ts';
import { startServers } from './servers.ts';

/**
 * `npm run drill -- --seed 1 --minutes 10`: breaks a marketplace of its own at random for so long
 * and exits with 1 if anything came out other than clients were told.
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '10' },
  },
});
const seed = Number(values.seed);
const minutes = Number(values.minutes);
if (!Number.isInteger(seed) || !(minutes > 0)) {
  throw new Error('--seed takes a whole number, --minutes a number above 0.');
}

const EVERY_MS = 350;
/** A fifth of the time, and at most so many rounds, is for faults that happen alone. */
const ALONE_TIMES_MAX = 10;
const ALONE_ROUND_S = 14;

// Interrupted, it just ends: the guards of what it started then stop that, and remove the folder.
const servers = await startServers({ durable: true });
const times = Math.min(ALONE_TIMES_MAX, Math.max(1, Math.floor((minutes * 12) / ALONE_ROUND_S)));
const stormS = Math.max(20, minutes * 60 - times * ALONE_ROUND_S);
const faults = Math.ceil((stormS * 1_000) / EVERY_MS);
console.log(
  `seed ${seed}: ${Math.round(stormS)} s of faults, then ${times} rounds of some of them alone`,
);
try {
  const report = await drill(servers, {
    seed,
    rig: { name: 'drill' },
    faults,
    everyMs: EVERY_MS,
    stormMs: stormS * 1_000,
    buyers: 20,
    serials: Math.ceil(minutes * 1_000),
    alone: { kinds: ['worker killed', 'Redis killed', 'PostgreSQL killed'], times },
  });
  console.log(told(report));
  process.exitCode = report.violations.length > 0 ? 1 : 0;
} finally {
  await servers.stop();
}
process.exit();
