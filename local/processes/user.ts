import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

import { checkoutFolder } from '../paths.ts';

/** The user of a command; empty: that of this process. */
export interface User {
  readonly uid?: number;
  readonly gid?: number;
}

const isRoot = process.getuid?.() === 0;

/**
 * The user that runs PostgreSQL, which refuses root: for root it is the owner of the checkout, or
 * else `nobody`. It must be a named user, because initdb looks the name up.
 */
export function postgresUser(): User {
  if (!isRoot) return {};
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
  const owner = statSync(checkoutFolder).uid;
  const user =
    users.find(({ uid }) => uid === owner && uid !== 0) ??
    users.find(({ name }) => name === 'nobody') ??
    users.find(({ name }) => name === 'postgres');
  if (!user) {
    throw new Error(
      'PostgreSQL does not run as root, and there is no user "nobody" to run it as. ' +
        'Run this as another user, or set DATABASE_URL.',
    );
  }
  return { uid: user.uid, gid: user.gid };
}

/** Whether the user can enter a folder. A home of mode 0700 closes everything below it. */
export function canReach(folder: string, user: User): boolean {
  if (user.uid === undefined) return true;
  const entered = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], {
    ...user,
    stdio: 'ignore',
  });
  return entered.status === 0;
}
