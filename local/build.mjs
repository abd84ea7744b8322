// Bundles the programs of the application, so that each process loads a few files instead of
// translating hundreds: it is ready in half the time, at a start and after a crash.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as bundle, buildSync } from 'esbuild';

import { bundleBrowser } from '../console/browser/bundle.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const ENTRIES = {
  api: 'api/main.ts',
  worker: 'workers/main.ts',
  socks: 'api/socks/main.ts',
  migrate: 'migrations/run.ts',
  seed: 'local/demo/seed.ts',
};
// What the worker starts as threads is beside it.
const THREADS = { judge: 'workers/gateways/verification/judge.mjs' };
const OPTIONS = {
  absWorkingDir: root,
  outdir: 'dist',
  write: false,
  bundle: true,
  packages: 'external',
  format: 'esm',
  // As tsconfig.json says, which a build in a container does not have.
  jsx: 'automatic',
  jsxImportSource: 'preact',
  platform: 'node',
  target: 'node20',
  sourcemap: 'inline',
  logLevel: 'warning',
};
const BUILD_KEPT_MS = 24 * 3_600_000;

/**
 * Builds for `npm start`, in a folder that is named after the hash of its files: a process that
 * runs from it can load one of them later, whatever was built since. Returns the folder.
 */
export async function buildCached(cache) {
  return store(await compile(), cache);
}

/** Builds one program, of any path in the checkout, for tests that start it. Returns the file. */
export function buildProgram(program, cache) {
  const { outputFiles } = buildSync({ ...OPTIONS, entryPoints: { program, ...THREADS } });
  return join(store(outputFiles, cache), 'program.js');
}

function store(files, cache) {
  const hash = createHash('sha256');
  for (const { contents } of files) hash.update(contents);
  const folder = join(cache, hash.digest('hex').slice(0, 16));
  if (existsSync(folder)) return folder;

  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(join(cache, 'part-'));
  write(files, unfinished);
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true });
    if (!existsSync(folder)) throw error; // another start made it at the same moment
  }
  removeOld(cache, folder);
  return folder;
}

function removeOld(cache, current) {
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name);
    const builtAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (folder !== current && Date.now() - builtAt > BUILD_KEPT_MS)
      rmSync(folder, { recursive: true });
  }
}

function write(files, folder) {
  mkdirSync(folder, { recursive: true });
  for (const { path, contents } of files) writeFileSync(join(folder, basename(path)), contents);
}

/** api.js, worker.js, judge.js, socks.js, migrate.js, seed.js, what they share; browser files. */
async function compile() {
  const { outputFiles } = await bundle({
    ...OPTIONS,
    entryPoints: { ...ENTRIES, ...THREADS },
    splitting: true,
  });
  return [...outputFiles, ...(await bundleBrowser(root))];
}

// `npm run build`, for machines that run the programs one by one. Without `await` at the top level,
// because mocha would load the tests that import this file, and all they import, a second time.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  void compile().then((files) => write(files, join(root, 'dist')));
}
