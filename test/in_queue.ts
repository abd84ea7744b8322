import { asOwner } from './as_owner.ts';
import { eventually, type TestPlatform } from './harness.ts';

/**
 * The answers of calls that are all in a transaction before the first of them goes on: `lock`, a
 * `select … for update` by the owner, holds what each of them needs. Each is made when all before
 * it wait, so the first call is the first to get the lock.
 */
export async function inQueue<T>(
  platform: TestPlatform,
  lock: string,
  calls: readonly (() => Promise<T>)[],
): Promise<T[]> {
  const answers: Promise<T>[] = [];
  await asOwner(platform, `begin; ${lock}`, async () => {
    for (const call of calls) {
      answers.push(call());
      await untilWaiting(platform, answers.length);
    }
  });
  return Promise.all(answers);
}

/** Resolves when so many sessions of the platform's database wait for a lock. */
export async function untilWaiting(platform: TestPlatform, sessions: number): Promise<void> {
  await eventually(
    () => platform.query(WAITING, [platform.name]),
    ([found]) => found.sessions >= sessions,
  );
}

const WAITING = `select count(*)::int as sessions from pg_stat_activity
  where datname = $1 and wait_event_type = 'Lock'`;
