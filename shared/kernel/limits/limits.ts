import { column, execute, row, rows } from '../../platform/rows.ts';
import type { Tx } from '../operation.ts';
import { Refusal } from '../refusal.ts';

/** What a holder may use of something in a window of time. */
export interface Limit {
  /** Names it in refusals and in the table, where no two limits have the same. */
  readonly kind: string;
  readonly max: number;
  readonly windowSeconds: number;
  /** What a holder is told that has used it up: a sentence, without the time. */
  readonly reached: string;
  /** What its refusal says besides. */
  readonly details?: object;
}

/**
 * Whoever profits: a tree of agents, or the address of a caller without a key, as a keyed hash.
 * `of` is the object that the limit is for, where each has its own.
 */
export interface Holder {
  readonly tree?: number;
  readonly address?: Buffer;
  readonly of?: string;
}

type InTransaction = Pick<Tx, 'db' | 'onRateLimit'>;

/**
 * Counts what this transaction uses of a limit, or refuses it with `rate_limited`. Exact, whichever
 * process counts: others of the same holder wait until COMMIT. What is rolled back counts nothing.
 * Take it after the locks of trees and of objects, and after whatever else can refuse.
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

/** What a holder has used of a limit, and for how many seconds. */
export interface Use {
  readonly used: number;
  readonly resets_at: Date;
  readonly wait: number;
}

/** The refusal of a limit that is used up, also of one that is counted in other ways. */
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

/** The same where nobody is refused. False: there is not so much left, and nothing is counted. */
export async function isTaken(
  { db }: InTransaction,
  { kind, max, windowSeconds }: Limit,
  holder: Holder,
  cost = 1,
): Promise<boolean> {
  if (cost > max) throw new Error(`${cost} is more than ${kind} ever has`);
  const values = [kind, nameOf(holder), cost, max, windowSeconds];
  return (await rows(db, { used: column.int }, TAKE, values)).length === 1;
}

/** Counts something no more that was taken before. */
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

/** Of a limit that has just refused its holder, and has locked the row with that. */
const stateOf = ({ db }: InTransaction, { kind }: Limit, holder: Holder) =>
  row(
    db,
    { used: column.int, resets_at: column.time, wait: column.float },
    `select used, resets_at, extract(epoch from resets_at - clock_timestamp())::float8 as wait
       from limit_window where kind = $1 and holder = $2`,
    [kind, nameOf(holder)],
  );

/** The clock is read under the lock of the row: now() is that of a transaction that has waited. */
const TAKE = `
  insert into limit_window as held (kind, holder, used, resets_at)
  values ($1, $2, $3, clock_timestamp() + make_interval(secs => $5))
  on conflict (kind, holder) do update
     set used = case when held.resets_at > clock_timestamp() then held.used + $3 else $3 end,
         resets_at = case when held.resets_at > clock_timestamp() then held.resets_at
                          else clock_timestamp() + make_interval(secs => $5) end
   where held.resets_at <= clock_timestamp() or held.used + $3 <= $4
  returning used`;
