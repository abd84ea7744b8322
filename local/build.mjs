// Bundles the programs of the application with the packages that they use, so that each process
// loads a few files instead of thousands: it is ready after a third of the CPU time, at a start and
// after a crash.
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
import { copyPackages, OUTSIDE } from './packages/shipped_packages.mjs';
import { withoutPackages } from './source_map.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const ENTRIES = {
  api: 'api/main.ts',
  worker: 'workers/main.ts',
  socks: 'api/socks/main.ts',
  migrate: 'migrations/run.ts',
};
/** Programs that `npm start` alone runs. */
const LAUNCHED = { seed: 'local/demo/seed.ts' };
/** Programs of a deployment, which `npm start` runs from their sources. */
const DEPLOYED = { audit: 'local/audit.ts', reseal: 'local/reseal.ts' };
// What the worker starts as a process of its own is beside it.
const CHILDREN = { judge: 'workers/gateways/verification/judge.mjs' };
/** What packages made for `require` expect, and modules lack. */
const FOR_REQUIRE = `
import $module from 'node:module';
import $path from 'node:path';
import $url from 'node:url';
const require = $module.createRequire(import.meta.url);
const __filename = $url.fileURLToPath(import.meta.url);
const __dirname = $path.dirname(__filename);`;
const OPTIONS = {
  absWorkingDir: root,
  outdir: 'dist',
  write: false,
  bundle: true,
  splitting: true,
  // The console of a program that was not built imports esbuild, to build its files.
  external: [...OUTSIDE, 'esbuild'],
  metafile: true,
  banner: { js: FOR_REQUIRE },
  format: 'esm',
  // As tsconfig.json says, which a build in a container does not have.
  jsx: 'automatic',
  jsxImportSource: 'preact',
  platform: 'node',
  target: 'node20',
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'warning',
};
/** What `buildProgram` may read. */
const SOURCES = [
  'api',
  'console',
  'local',
  'migrations',
  'package-lock.json',
  'sandbox',
  'shared',
  'test',
  'workers',
];
const BUILD_KEPT_MS = 24 * 3_600_000;
const TEST_BUILD_KEPT_MS = 3_600_000;

/**
 * Builds for `npm start`, in a folder that is named after the hash of its files: a process that
 * runs from it can load one of them later, whatever was built since. Returns the folder.
 */
export async function buildCached(cache) {
  const files = await compile(LAUNCHED);
  const hash = createHash('sha256');
  for (const { contents } of files) hash.update(contents);
  const folder = join(cache, hash.digest('hex').slice(0, 16));
  store(files, folder, BUILD_KEPT_MS);
  return folder;
}

/**
 * Builds one program, of any path in the checkout, for tests that start it; not again while no
 * source file changes. Returns the file.
 */
export function buildProgram(program, cache) {
  const name = createHash('sha256').update(program).update(timesOfSources()).digest('hex');
  const folder = join(cache, name.slice(0, 16));
  if (!existsSync(folder)) {
    const built = buildSync({ ...OPTIONS, entryPoints: { program, ...CHILDREN } });
    store(filesOf(built), folder, TEST_BUILD_KEPT_MS);
  }
  return join(folder, 'program.js');
}

function filesOf({ outputFiles, metafile }) {
  refuseLostExports(metafile);
  return outputFiles.map(({ path, contents, text }) =>
    path.endsWith('.map') ? { path, contents: withoutPackages(text) } : { path, contents },
  );
}

/** A package made for `require` has no named exports where esbuild splits it off by `import()`. */
function refuseLostExports({ inputs }) {
  for (const [file, { imports }] of Object.entries(inputs)) {
    for (const { kind, path, external } of imports) {
      if (kind !== 'dynamic-import' || external || inputs[path].format !== 'cjs') continue;
      throw new Error(
        `${file} imports ${path} by import(): leave that package outside, or import it`,
      );
    }
  }
}

/** Each file that a program may be made of, with the time at which it changed. */
function timesOfSources() {
  const files = SOURCES.flatMap((source) => {
    const path = join(root, source);
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path, { recursive: true }).map((file) => join(path, file));
  });
  return files
    .map((file) => `${file} ${statSync(file, { throwIfNoEntry: false })?.mtimeMs}\n`)
    .join('');
}

/** Whole or not at all, whoever stores the same at this moment. Removes what is old beside it. */
function store(files, folder, keptMs) {
  if (existsSync(folder)) return;

  const cache = dirname(folder);
  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(join(cache, 'part-'));
  write(files, unfinished);
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true });
    if (!existsSync(folder)) throw error; // another start made it at the same moment
  }
  removeOld(cache, folder, keptMs);
}

function removeOld(cache, current, keptMs) {
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name);
    const builtAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (folder !== current && Date.now() - builtAt > keptMs)
      rmSync(folder, { recursive: true, force: true });
  }
}

function write(files, folder) {
  mkdirSync(folder, { recursive: true });
  for (const { path, contents } of files) writeFileSync(join(folder, basename(path)), contents);
}

/** api.js, worker.js, judge.js, socks.js, migrate.js, others, what they share; browser files. */
async function compile(others) {
  const built = await bundle({ ...OPTIONS, entryPoints: { ...ENTRIES, ...others, ...CHILDREN } });
  return [...filesOf(built), ...(await bundleBrowser(root))];
}

/** All that a deployment runs, with the packages that the programs need, in an empty folder. */
async function buildDeployment(folder) {
  const files = await compile(DEPLOYED);
  rmSync(folder, { recursive: true, force: true });
  write(files, folder);
  copyPackages(root, folder);
}

// `npm run build`, for machines that run the programs one by one. Without `await` at the top level,
// because mocha would load the tests that import this file, and all they import, a second time.
if (process.argv[1] === fileURLToPath(import.meta.url)) void buildDeployment(join(root, 'dist'));
