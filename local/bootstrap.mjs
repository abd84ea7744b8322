// Runs first in `npm start` and `npm test`. It uses only Node, because nothing else may be
// installed yet: it installs missing packages, registers tsx and imports the program.
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';

import { install, isInstalled } from './packages/install.mjs';

const PROGRAMS = {
  start: './launcher/start.ts',
  dev: './launcher/start.ts',
  test: './test_run/test.ts',
  'test:all': './test_run/test.ts',
  'test:goals': './test_run/test.ts',
  audit: './audit.ts',
  reseal: './reseal.ts',
  backup: './backup.ts',
  restore: './restore.ts',
  pay: './pay/main.ts',
  sweep: './sweep/main.ts',
  drill: '../test/drill/main.ts',
  'new:operation': './new_operation/main.ts',
  migrate: '../migrations/run.ts',
  bench: '../bench/bench.ts',
  growth: '../bench/growth.ts',
  sizes: '../bench/sizes.ts',
  attacks: '../bench/attacks/attacks.ts',
  webhooks: '../bench/webhooks/deliveries.ts',
  mutate: '../test/mutations/run/main.ts',
  stripe: '../test/sandbox/build_stripe_schemas.ts',
};
const program = process.argv[2] ?? 'start';
const runsTests = ['test', 'test:all', 'test:goals', 'mutate', 'stripe'].includes(program);
const measures = ['bench', 'growth', 'sizes', 'attacks', 'webhooks'].includes(program);
const development = runsTests || measures || program === 'drill';

if (!PROGRAMS[program])
  fail(`There is no program ${program}: ${Object.keys(PROGRAMS).join(', ')}.`);
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`Node ${process.versions.node} is too old: 20.19 or newer is needed.`);
}

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
endWithParent();
// These choose their own settings; a developer's settings for `npm start` are not for them.
if (existsSync('.env') && !runsTests && !measures) loadSettings('.env');
await provide('.');
// The generators of clients and of Stripe's schemas need another version of TypeScript, so they
// have a folder of their own.
if (program.startsWith('test') || program === 'stripe') await provide('client');

// The compiled files would otherwise remain in TMPDIR.
process.env.TSX_DISABLE_CACHE = '1';
const { register } = await import('tsx/esm/api');
register();
await import(PROGRAMS[program]);

/** Keeps variables that are set already. Some editors begin a file with a byte order mark. */
function loadSettings(file) {
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  const settings = parseEnv(text);
  // A quoted value may have several lines, so a file with quotes is not checked.
  const odd = /["'`]/.test(text)
    ? -1
    : text.split('\n').findIndex((line) => !/^\s*(#.*|(export\s+)?[\w.-]+\s*=.*)?$/.test(line));
  if (odd >= 0) fail(`Line ${odd + 1} of ${file} is no NAME=value.`);
  for (const [name, value] of Object.entries(settings)) process.env[name] ??= value;
}

async function provide(folder) {
  if (isInstalled(folder, { development })) return;
  if (await install(folder, { development })) return;
  fail('The packages could not be installed. Can npm reach its registry? Try `npm ci`.');
}

/**
 * The scripts of package.json begin with `exec`, so that npm passes signals on to this process. A
 * shell between the two would keep SIGINT to itself. A killed npm notifies nobody: when the parent
 * is gone, this process stops as by a signal.
 */
function endWithParent() {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGHUP');
  }, 250);
  timer.unref();
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
