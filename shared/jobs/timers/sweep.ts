import type { Tx } from '../../kernel/tx.ts';
import { inSavepoint } from '../../platform/database.ts';
import { isConflict, isConnectionLost } from '../../platform/fault.ts';
import { column, execute, row, rows } from '../../platform/rows.ts';

/*
 * A sweep is a timer that processes all due rows: together, because that is cheap, and after a
 * failure in ever smaller groups, so that a row which fails does not affect others. Such a row is
 * attempted alone, after 2, 4, 8 … minutes. After eight attempts it is set aside and attempted once
 * a day, until somebody fixes it. Operators see these rows in list_faults, and each failed attempt
 * is an error in the log.
 */

/** Attempts after which a row is set aside. */
export const ATTEMPTS_MAX = 8;

interface Sweep<T> {
  /** Name of the timer. */
  readonly operation: string;
  /** Locked rows, in the order in which `work` takes further locks. */
  readonly items: readonly T[];
  /** Processes some of the items. May run more than once: a failed run is rolled back. */
  readonly work: (items: readonly T[]) => Promise<void>;
}

/** SQL condition for due rows: the row of this id has not failed, or its next attempt is due. */
export const isAttemptDue = (operation: string, id: string): string =>
  `not exists (select from sweep_fault fault where fault.operation = '${operation}'
                  and fault.row_id = ${id} and fault.next_at > now())`;

/** Processes the items. Returns the numbers done and failed. */
export async function sweep<T extends { readonly id: number }>(
  { db, log }: Tx,
  { operation, items, work }: Sweep<T>,
): Promise<{ done: number; failed: number }> {
  const failedBefore = await findFailed();
  const done: number[] = [];
  for (const group of groupsOf(items, ({ id }) => failedBefore.has(id))) await attempt(group);
  await forgetFaults();
  return { done: done.length, failed: items.length - done.length };

  async function findFailed(): Promise<ReadonlySet<number>> {
    const found = await rows(
      db,
      { row_id: column.id },
      'select row_id from sweep_fault where operation = $1 and row_id = any ($2)',
      [operation, items.map(({ id }) => id)],
    );
    return new Set(found.map(({ row_id }) => row_id));
  }

  async function attempt(group: readonly T[]): Promise<void> {
    try {
      await inSavepoint(db, () => work(group));
      done.push(...group.map(({ id }) => id));
    } catch (error) {
      // These are not faults of a row: the whole transaction is attempted again.
      if (isConflict(error) || isConnectionLost(error)) throw error;
      if (group.length === 1) {
        await noteFault(group[0]!.id, error);
        return;
      }
      const middle = Math.ceil(group.length / 2);
      await attempt(group.slice(0, middle));
      await attempt(group.slice(middle));
    }
  }

  async function noteFault(id: number, error: unknown): Promise<void> {
    const { attempts } = await row(
      db,
      { attempts: column.int },
      `insert into sweep_fault as fault (operation, row_id, fault, next_at)
       values ($1, $2, left($3, 500), now() + interval '2 minutes')
       on conflict (operation, row_id) do update
         set attempts = fault.attempts + 1, fault = excluded.fault, failed_at = now(),
             next_at = now() + case when fault.attempts + 1 < ${ATTEMPTS_MAX}
                                    then interval '1 minute' * 2 ^ (fault.attempts + 1)
                                    else interval '1 day' end
       returning attempts`,
      [operation, id, String(error)],
    );
    const message =
      attempts < ATTEMPTS_MAX
        ? 'a row of a sweep failed; it will be attempted again, alone'
        : 'a row of a sweep is set aside: mend it; it is attempted once a day';
    log.error({ err: error, operation, row_id: id, attempts }, message);
  }

  /** Deletes the faults of rows that are done or no longer due. */
  async function forgetFaults(): Promise<void> {
    await execute(
      db,
      `delete from sweep_fault
        where operation = $1 and (row_id = any ($2) or next_at < now() - interval '1 hour')`,
      [operation, done],
    );
  }
}

/** Groups the items in their order; each single item is a group of its own. */
function groupsOf<T>(items: readonly T[], isSingle: (item: T) => boolean): T[][] {
  const groups: T[][] = [];
  let open: T[] | undefined;
  for (const item of items) {
    if (isSingle(item)) {
      groups.push([item]);
      open = undefined;
    } else if (open) open.push(item);
    else groups.push((open = [item]));
  }
  return groups;
}
