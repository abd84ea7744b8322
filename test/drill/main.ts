import { parseArgs } from 'node:util';

import { drill } from './drill.ts';
import { formatReport } from './report.ts';
import { startServers } from './servers.ts';

/**
 * `npm run drill -- --seed 1 --minutes 10`: breaks a marketplace of its own at random for that
 * time, and exits with 1 if the database differs from the replies that clients received.
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
/** A fifth of the time, and at most this number of rounds, is for isolated faults. */
const ISOLATED_ROUNDS_MAX = 10;
const ISOLATED_ROUND_S = 14;

// Interrupted, it just ends: the guards of its child processes then stop them and remove the
// folder.
const servers = await startServers({ durable: true });
const rounds = Math.min(
  ISOLATED_ROUNDS_MAX,
  Math.max(1, Math.floor((minutes * 12) / ISOLATED_ROUND_S)),
);
const faultsS = Math.max(20, minutes * 60 - rounds * ISOLATED_ROUND_S);
const faults = Math.ceil((faultsS * 1_000) / EVERY_MS);
console.log(
  `seed ${seed}: ${Math.round(faultsS)} s of faults, then ${rounds} rounds of isolated faults`,
);
try {
  const report = await drill(servers, {
    seed,
    deployment: { name: 'drill' },
    faults,
    everyMs: EVERY_MS,
    callsPerFault: 5,
    faultsMs: faultsS * 1_000,
    buyers: 20,
    serials: Math.ceil(minutes * 1_000),
    isolated: { kinds: ['worker killed', 'Redis killed', 'PostgreSQL killed'], rounds },
  });
  console.log(formatReport(report));
  process.exitCode = report.violations.length > 0 ? 1 : 0;
} finally {
  await servers.stop();
}
process.exit();
