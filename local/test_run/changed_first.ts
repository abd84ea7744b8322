import { execFileSync } from 'node:child_process';

import { checkoutFolder } from '../paths.ts';

/**
 * Puts those files first that a change since the last tag touches: the file itself, or one of its
 * domain (`test/orders/…` and `shared/domains/orders/…`). Without a tag or a history the order
 * stays.
 */
export function changedFirst(files: readonly string[]): string[] {
  const changed = changedPaths();
  const domains = new Set(changed.flatMap(domainsOf));
  const rank = (file: string) => {
    if (changed.includes(file)) return 0;
    return domainsOf(file).some((domain) => domains.has(domain)) ? 1 : 2;
  };
  return files.toSorted((a, b) => rank(a) - rank(b));
}

/** The folders of a path that name a part of the product. */
const domainsOf = (path: string): string[] =>
  path
    .split('/')
    .slice(1, -1)
    .filter((name) => name !== 'domains');

function changedPaths(): string[] {
  try {
    const tag = git('describe', '--tags', '--abbrev=0').trim();
    return git('diff', '--name-only', tag, '--').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

const git = (...args: string[]): string =>
  execFileSync('git', args, {
    cwd: checkoutFolder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
