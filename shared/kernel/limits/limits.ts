import { column, execute, row, rows } from '../../platform/rows.ts';
import type { Tx } from '../tx.ts';
import { Refusal } from '../refusal.ts';

/** Maximum use of a resource by one holder in a window of time. */
export interface Limit {
  /** Unique name in refusals and in the table. */
  readonly kind: string;
  readonly max: number;
  readonly windowSeconds: number;
  /** Message when it is used up: a sentence, without the time. */
  readonly reached: string;
  /** Further details of its refusal. */
  readonly details?: object;
}

/**
 * The holder of a limit: a tree of agents, or the address of a caller without a key, as a keyed
 * hash. `of` is the object, for limits that each object has separately.
 */
interface Holder {
  readonly tree?: number;
  readonly address?: Buffer;
  readonly of?: string;
}

type InTransaction = Pick<Tx, 'db' | 'onRateLimit'>;

/**
 * Counts the use of a limit by this transaction, or refuses it with `rate_limited`. Exact over all
 * processes: others of the same holder wait until COMMIT. A rollback undoes the count. Call it
 * after the locks of trees and of objects, and after all other checks.
 */
export async function take(
  tx: InTransaction,
  limit: Limit,
  holder: Holder,
  cost = 1,
): Promise<void> {
  if (await isTaken(tx, limit, holder, cost)) return;
  throw limitReached(tx, limit, await stateOf(tx, limit, holder));
}

/** Use of a limit by a holder, and the seconds until it resets. */
interface Use {
  readonly used: number;
  readonly resets_at: Date;
  readonly wait: number;
}

/** The refusal of a used-up limit, also for limits that are counted elsewhere. */
export function limitReached(
  { onRateLimit }: Pick<Tx, 'onRateLimit'>,
  { kind, max, windowSeconds, reached, details }: Limit,
  { used, resets_at, wait }: Use,
): Refusal {
  const seconds = Math.max(1, Math.ceil(wait));
  onRateLimit?.({ name: kind, limit: max, windowSeconds, left: 0, resetSeconds: seconds });
  return new Refusal('rate_limited', `${reached} Try again in ${seconds} s.`, {
    limited_by: kind,
    limit: max,
    used,
    window_seconds: windowSeconds,
    retry_after_seconds: seconds,
    resets_at: resets_at.toISOString(),
    ...details,
  });
}

/** Like `take`, but returns false instead of refusing; then nothing is counted. */
export async function isTaken(
  { db }: InTransaction,
  limit: Limit,
  holder: Holder,
  cost = 1,
): Promise<boolean> {
  const { kind, max } = limit;
  if (cost > max) throw new Error(`${cost} is more than ${kind} ever has`);
  return (await use(db, limit, holder, { cost, max })).length === 1;
}

/** Counts one use by a holder without limiting it, and returns how many its window has had. */
export async function count(
  { db }: InTransaction,
  limit: Pick<Limit, 'kind' | 'windowSeconds'>,
  holder: Holder,
): Promise<number> {
  const [counted] = await use(db, limit, holder, { cost: 1, max: Number.MAX_SAFE_INTEGER });
  return counted!.used;
}

const use = (
  db: Tx['db'],
  { kind, windowSeconds }: Pick<Limit, 'kind' | 'windowSeconds'>,
  holder: Holder,
  { cost, max }: { readonly cost: number; readonly max: number },
) => rows(db, { used: column.int }, TAKE, [kind, nameOf(holder), cost, max, windowSeconds]);

/** Undoes an earlier use. */
export async function giveBack(
  { db }: InTransaction,
  { kind }: Limit,
  holder: Holder,
): Promise<void> {
  const sql = `update limit_window set used = used - 1
                where kind = $1 and holder = $2 and used > 0 and resets_at > clock_timestamp()`;
  await execute(db, sql, [kind, nameOf(holder)]);
}

const nameOf = ({ tree, address, of }: Holder): string =>
  [
    ...(tree === undefined ? [] : [`tree ${tree}`]),
    ...(address === undefined ? [] : [`address ${address.toString('hex')}`]),
    ...(of === undefined ? [] : [of]),
  ].join(' ');

/** The state of a limit that has just refused its holder, which has locked the row. */
const stateOf = ({ db }: InTransaction, { kind }: Limit, holder: Holder) =>
  row(
    db,
    { used: column.int, resets_at: column.time, wait: column.float },
    `select used, resets_at, extract(epoch from resets_at - clock_timestamp())::float8 as wait
       from limit_window where kind = $1 and holder = $2`,
    [kind, nameOf(holder)],
  );

/** SQL; reads the clock under the lock of the row: now() is from before the wait for the lock. */
const TAKE = `
  insert into limit_window as held (kind, holder, used, resets_at)
  values ($1, $2, $3, clock_timestamp() + make_interval(secs => $5))
  on conflict (kind, holder) do update
     set used = case when held.resets_at > clock_timestamp() then held.used + $3 else $3 end,
         resets_at = case when held.resets_at > clock_timestamp() then held.resets_at
                          else clock_timestamp() + make_interval(secs => $5) end
   where held.resets_at <= clock_timestamp() or held.used + $3 <= $4
  returning used`;
