import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { environmentWith } from '../../shared/platform/config/environment.ts';
import { run } from './command.ts';
import { cacheFolder } from '../paths.ts';

/**
 * Unpacks a Debian package, and its missing dependencies, into the checkout's cache: needs no root,
 * installs nothing, starts no service. Returns the folder that stands for `/`, or nothing without
 * apt, a network or such a package.
 */
export function unpackDebian(name: string): Promise<string | undefined> {
  const target = join(cacheFolder, name);
  if (existsSync(join(target, COMPLETE))) return Promise.resolve(target);
  if (process.platform !== 'linux') return Promise.resolve(undefined);

  let running = unpacking.get(name);
  if (!running) {
    running = unpackTo(target, name).finally(() => unpacking.delete(name));
    unpacking.set(name, running);
  }
  return running;
}

/** By package: whoever wants one at the same time waits for the same work. */
const unpacking = new Map<string, Promise<string | undefined>>();

async function unpackTo(target: string, name: string): Promise<string | undefined> {
  mkdirSync(cacheFolder, { recursive: true });
  const work = mkdtempSync(join(cacheFolder, 'apt-'));
  try {
    const unpacked = (await fetchInto(work, name)) && (await unpackAll(work));
    if (!unpacked) return undefined;
    writeFileSync(join(work, 'root', COMPLETE), '');
    chmodSync(join(work, 'root'), 0o755);
    moveTo(target, join(work, 'root'));
    return target;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const COMPLETE = '.complete';

/** LD_LIBRARY_PATH for the unpacked libraries. */
export function libraryPath(root: string): string {
  return ['usr/lib', 'lib']
    .map((folder) => join(root, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => [
      folder,
      ...readdirSync(folder)
        .filter((name) => name.includes('-linux-'))
        .map((name) => join(folder, name)),
    ])
    .join(':');
}

/** Downloads with the system's package lists, or, as in most containers, with our own lists. */
async function fetchInto(work: string, name: string): Promise<boolean> {
  for (const folder of ['state/lists/partial', 'cache/archives/partial', 'debs', 'root']) {
    mkdirSync(join(work, folder), { recursive: true });
  }
  const common = aptOptions({
    'Debug::NoLocking': '1',
    'Dir::Cache': join(work, 'cache'),
    // To read the lists costs more than all else here. Images of containers do not keep the index.
    'Dir::Cache::pkgcache': join(work, 'cache/pkgcache.bin'),
    'Dir::Cache::srcpkgcache': join(work, 'cache/srcpkgcache.bin'),
    'Acquire::Retries': '2',
    'Acquire::http::Timeout': '20',
    // As root, apt would otherwise download as a user who cannot write here.
    ...(process.getuid?.() === 0 ? { 'APT::Sandbox::User': 'root' } : {}),
  });
  const own = aptOptions({
    'Dir::State': join(work, 'state'),
    'Dir::State::status': '/var/lib/dpkg/status',
    'Acquire::Languages': 'none',
  });
  if (await download(work, name, common)) return true;
  console.log(`Fetching ${name} for this checkout alone; nothing is installed …`);
  const updated = await apt(work, [...common, ...own, 'update']);
  return updated.ok && (await download(work, name, [...common, ...own]));
}

const aptOptions = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).flatMap(([name, value]) => ['-o', `${name}=${value}`]);

async function download(work: string, name: string, options: readonly string[]) {
  const plan = await apt(work, [...options, '-s', 'install', '--no-install-recommends', name]);
  const missing = [...plan.out.matchAll(/^Inst (\S+)/gm)].flatMap(([, found]) => found ?? []);
  if (!plan.ok || missing.length === 0) return false;
  return (await apt(join(work, 'debs'), [...options, 'download', ...missing])).ok;
}

async function unpackAll(work: string): Promise<boolean> {
  for (const file of readdirSync(join(work, 'debs'))) {
    const unpacked = await run('dpkg-deb', ['-x', join(work, 'debs', file), join(work, 'root')]);
    if (!unpacked.ok) return false;
  }
  return true;
}

const apt = (cwd: string, args: readonly string[]) =>
  run('apt-get', args, {
    cwd,
    env: environmentWith({ LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' }),
    timeoutMs: 180_000,
  });

function moveTo(target: string, folder: string): void {
  try {
    renameSync(folder, target);
  } catch (error) {
    // Another program unpacked the same package at the same time.
    if (!existsSync(join(target, COMPLETE))) throw error;
  }
}
