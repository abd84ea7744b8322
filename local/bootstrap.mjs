// What `npm start` and `npm test` run first. It uses nothing but Node, because nothing else may be
// installed yet: it installs what is missing, registers tsx and imports the program.
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';

import { install, isInstalled } from './packages/install.mjs';

const PROGRAMS = {
  start: './launcher/start.ts',
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
  migrate: '../migrations/run.ts',
  bench: '../bench/bench.ts',
  growth: '../bench/growth.ts',
  attacks: '../bench/attacks/attacks.ts',
  webhooks: '../bench/webhooks/deliveries.ts',
  mutate: '../test/mutations/run/main.ts',
  stripe: '../test/sandbox/build_stripe_schemas.ts',
};
const program = process.argv[2] ?? 'start';
const runsTests = ['test', 'test:all', 'test:goals', 'mutate', 'stripe'].includes(program);
const measures = ['bench', 'growth', 'attacks', 'webhooks'].includes(program);
const development = runsTests || measures || program === 'drill';

if (!PROGRAMS[program])
  fail(`There is no program ${program}: ${Object.keys(PROGRAMS).join(', ')}.`);
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`Node ${process.versions.node} is too old: 20.19 or newer is needed.`);
}

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
endWithParent();
// These choose their own settings; what a developer set for `npm start` is not for them.
if (existsSync('.env') && !runsTests && !measures) loadSettings('.env');
await provide('.');
// The generators of clients and of Stripe's schemas need another TypeScript than the rest, so they
// have a folder of their own.
if (program.startsWith('test') || program === 'stripe') await provide('client');

// The compiled files would otherwise remain in TMPDIR.
process.env.TSX_DISABLE_CACHE = '1';
const { register } = await import('tsx/esm/api');
register();
await import(PROGRAMS[program]);

/** Leaves what is set already. Some editors begin a file with a mark of its encoding. */
function loadSettings(file) {
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  const settings = parseEnv(text);
  // A value in quotes may have lines of any form, so a file with quotes is not judged.
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
 * `npm start` is npm, a shell and this process. npm passes SIGTERM on to the shell only, and a
 * killed npm notifies nobody: when one of the two is gone, this process stops as by a signal.
 */
function endWithParent() {
  const parent = process.ppid;
  const grandparent = process.env.npm_lifecycle_event && parentOf(parent);
  const timer = setInterval(() => {
    if (process.ppid === parent && (!grandparent || parentOf(parent) === grandparent)) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGHUP');
  }, 250);
  timer.unref();
}

/** Undefined where there is no /proc (macOS): then only the shell is watched. */
function parentOf(pid) {
  try {
    // The command's name is in parentheses and may hold spaces.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop().split(' ')[1];
  } catch {
    return undefined;
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
