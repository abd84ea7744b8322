import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { checkoutFolder } from '../../../local/paths.ts';
import type { Mutation } from '../mutation.ts';
import type { Chosen } from './select.ts';

/**
 * Mutations of which nothing is known since a revision of git: their file, a test of theirs or they
 * themselves are other than there. What code and tests import is not looked at. The lists of that
 * time are written into the folder.
 */
export async function changedSince(
  revision: string,
  all: readonly Chosen[],
  folder: string,
): Promise<readonly Chosen[]> {
  const paths = new Set([
    ...git('diff', '--name-only', '--no-renames', revision, '--').split('\n'),
    ...git('ls-files', '--others', '--exclude-standard').split('\n'),
  ]);
  const before = await mutationsAt(revision, folder);
  return all.filter(
    ({ mutation }) =>
      [mutation.file, ...mutation.tests].some((path) => paths.has(path)) ||
      before.get(mutation.name) !== JSON.stringify(mutation),
  );
}

async function mutationsAt(revision: string, folder: string): Promise<Map<string, string>> {
  // With package.json, which says that they are modules.
  const archive = join(folder, 'lists.tar');
  git('archive', '--output', archive, revision, 'package.json', 'test/mutations');
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  const { MUTATIONS } = (await import(join(folder, 'test/mutations/mutations.ts'))) as {
    MUTATIONS: Readonly<Record<string, readonly Mutation[]>>;
  };
  const all = Object.values(MUTATIONS).flat();
  return new Map(all.map((mutation) => [mutation.name, JSON.stringify(mutation)]));
}

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: checkoutFolder, encoding: 'utf8' });
