// Bundles the application's programs with their packages, so that each process loads a few files
// instead of thousands: it is ready after a third of the CPU time, at a start and after a crash.
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

import { bundleBrowser } from '../api/console/browser/bundle.mjs';
import { copyPackages, OUTSIDE } from './packages/shipped_packages.mjs';
import { withoutPackages } from './source_map.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const ENTRIES = {
  api: 'api/main.ts',
  worker: 'workers/main.ts',
  socks: 'api/socks/main.ts',
  migrate: 'migrations/run.ts',
};
/** Programs that only `npm start` runs. */
const LAUNCHED = { seed: 'local/demo/seed.ts' };
/** Programs of a deployment, which `npm start` runs from their sources. */
const DEPLOYED = { audit: 'local/audit.ts', reseal: 'local/reseal.ts' };
// Programs that the worker starts as processes of their own, built beside it.
const CHILDREN = { judge: 'workers/gateways/verification/judge.mjs' };
/** Globals that packages made for `require` expect, and modules lack. */
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
  // The console of a program that was not built imports esbuild to build its files.
  external: [...OUTSIDE, 'esbuild'],
  // Its form for `require` splits files off by `import()`: see `refuseLostExports`.
  alias: { '@opentelemetry/resources': '@opentelemetry/resources/build/esm/index.js' },
  metafile: true,
  banner: { js: FOR_REQUIRE },
  format: 'esm',
  // Same as in tsconfig.json, which a build in a container does not have.
  jsx: 'automatic',
  jsxImportSource: 'preact',
  platform: 'node',
  target: 'node20',
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'warning',
};
/** Folders and files that `buildPrograms` may read. */
const SOURCES = [
  'api',
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
 * Builds for `npm start`, in a folder named after the hash of its files: a process that runs from
 * it can load one of them later, whatever was built since. Returns the folder.
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
 * Builds programs, of any path in the checkout, for tests that start them; not again while no
 * source file changes. Several cost little more than one, because they share most of what is read.
 * Returns their files.
 */
export function buildPrograms(programs, cache) {
  const name = createHash('sha256').update(programs.join()).update(timesOfSources()).digest('hex');
  const folder = join(cache, name.slice(0, 16));
  const entries = programs.map((program) => [program.replace(/\W+/g, '_'), program]);
  if (!existsSync(folder)) {
    const entryPoints = { ...Object.fromEntries(entries), ...CHILDREN };
    store(filesOf(buildSync({ ...OPTIONS, entryPoints })), folder, TEST_BUILD_KEPT_MS);
  }
  return entries.map(([entry]) => join(folder, `${entry}.js`));
}

function filesOf({ outputFiles, metafile }) {
  refuseLostExports(metafile);
  return outputFiles.map(({ path, contents, text }) =>
    path.endsWith('.map') ? { path, contents: withoutPackages(text) } : { path, contents },
  );
}

/** Fails for a `require` package that esbuild splits off by `import()`: it loses named exports. */
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

/** Each file that may be part of a program, with its time of change. */
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

/** Stores files atomically, also against concurrent builds. Removes old folders beside it. */
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

/**
 * Compiles api.js, worker.js, judge.js, socks.js, migrate.js, others, shared chunks, browser files.
 */
async function compile(others) {
  const built = await bundle({ ...OPTIONS, entryPoints: { ...ENTRIES, ...others, ...CHILDREN } });
  return [...filesOf(built), ...(await bundleBrowser(root))];
}

/** Builds a deployment, with the packages that its programs need, in an empty folder. */
async function buildDeployment(folder) {
  const files = await compile(DEPLOYED);
  rmSync(folder, { recursive: true, force: true });
  write(files, folder);
  copyPackages(root, folder);
}

// `npm run build`, for machines that run the programs one by one. No top-level `await`, because
// mocha would load the tests that import this file, and all their imports, a second time.
if (process.argv[1] === fileURLToPath(import.meta.url)) void buildDeployment(join(root, 'dist'));
