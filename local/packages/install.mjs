// Installs the packages of a folder by `npm ci`, with a progress display. It uses only Node.
import { spawn } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { isUnread } from './unread_files.mjs';

/** Marks that development files are gone, so that a later `npm test` installs them again. */
const TRIMMED = 'node_modules/.trimmed';
const SHOW_EVERY_MS = 1_000;
/** Interval of progress lines if the output is not a terminal. */
const LOG_EVERY_MS = 10_000;

/** Whether npm's record of the installed packages, in node_modules, matches the lock file. */
export function isInstalled(folder, { development }) {
  if (!existsSync(join(folder, 'node_modules/.package-lock.json'))) return false;
  if (development && existsSync(join(folder, TRIMMED))) return false;
  const found = packagesIn(join(folder, 'node_modules/.package-lock.json'));
  return wantedIn(folder, development).every(
    ([path, { version, optional }]) => optional || found[path]?.version === version,
  );
}

/** Returns whether it worked. npm's message about a failure is printed. */
export async function install(folder, { development }) {
  const from = performance.now();
  const wanted = wantedIn(folder, development)
    .filter(([, entry]) => isForThisMachine(entry))
    .map(([path]) => join(folder, path, 'package.json'));
  console.log(`Installing ${wanted.length} packages by npm ci …`);
  const stop = showProgress(() => wanted.filter((file) => existsSync(file)).length, wanted.length);
  const failure = await npmCi(folder, development);
  stop();
  if (failure !== undefined) {
    console.error(failure);
    return false;
  }
  const removed = development ? 0 : trim(join(folder, 'node_modules'));
  if (!development) writeFileSync(join(folder, TRIMMED), '');
  const seconds = Math.round((performance.now() - from) / 1_000);
  const note = removed ? `, ${Math.round(removed / 2 ** 20)} MB for development removed` : '';
  console.log(`Installed in ${seconds} s${note}.`);
  return true;
}

const packagesIn = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;

/** Entries of the lock file, by path, except the root and the workspace, which are not from npm. */
function wantedIn(folder, development) {
  return Object.entries(packagesIn(join(folder, 'package-lock.json'))).filter(
    ([path, entry]) =>
      path.startsWith('node_modules/') && !entry.link && (development || !entry.dev),
  );
}

/** Optional packages of other machines are left out. Those of another libc are counted too. */
function isForThisMachine({ os, cpu }) {
  const has = (list, one) =>
    !list || list.includes(one) || list.every((name) => name === `!${one}`);
  return has(os, process.platform) && has(cpu, process.arch);
}

/** Undefined, or the reason of the failure. */
function npmCi(folder, development) {
  const which = development ? '--include=dev' : '--omit=dev';
  const flags = [which, '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = spawn('npm', ['ci', ...flags], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  npm.stderr.on('data', (text) => (said += text));
  return new Promise((resolve) => {
    npm.on('error', (error) => resolve(error.message));
    npm.on('close', (code) => resolve(code === 0 ? undefined : said || `npm ended by ${code}.`));
  });
}

/** Returns a function that ends it. */
function showProgress(count, total) {
  const { isTTY } = process.stdout;
  const show = () => {
    const line = `  ${count()} of ${total} packages are in node_modules`;
    process.stdout.write(isTTY ? `\r${line}` : `${line}\n`);
  };
  const timer = setInterval(show, isTTY ? SHOW_EVERY_MS : LOG_EVERY_MS);
  return () => {
    clearInterval(timer);
    if (isTTY) process.stdout.write('\r\u001b[K');
  };
}

/** Removes files that only development reads: a third of the bytes. Returns their number. */
function trim(folder) {
  let removed = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    // A link leads to the workspace, which is not a package of npm.
    if (entry.isDirectory()) removed += trim(path);
    if (!entry.isFile() || !isUnread(entry.name)) continue;
    removed += statSync(path).size;
    unlinkSync(path);
  }
  return removed;
}
