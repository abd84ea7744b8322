import type { Config } from '../../composition/config.ts';
import type { Micros } from '../../ledger/money.ts';
import { column, nullable, row, type Database } from '../../platform/rows.ts';

/** A tree that paid by card so long ago, and had nothing taken back ever, waits half as long. */
const KNOWN_DAYS = 90;

export interface CardReserve {
  /** Micro-dollars of cash that may not be withdrawn. */
  readonly amount: Micros;
  /** When it is less by itself; undefined: there is none. */
  readonly until: Date | undefined;
}

/**
 * Sums up what a tree has to keep in its wallet, because the bank of a card may still take back so
 * much: all that it paid by card within `WITHDRAWAL_CARD_DAYS`, spent since or not.
 */
export async function cardReserve(
  db: Database,
  { withdrawals }: Config,
  rootId: number,
): Promise<CardReserve> {
  const { amount, until } = await row(db, RESERVE, RESERVE_SQL, [
    rootId,
    withdrawals.cardDays,
    KNOWN_DAYS,
  ]);
  return { amount, until: until ?? undefined };
}

/** Micro-dollars of a tree's cash that may leave. */
export const withdrawableOf = (cash: Micros, { amount }: Pick<CardReserve, 'amount'>): Micros =>
  cash > amount ? cash - amount : 0n;

const RESERVE = { amount: column.micros, until: nullable(column.time) };

export const RESERVE_SQL = `
  with paid as (
    select usd, reversed, credited_at from deposit
     where root_id = $1 and rail = 'card' and credited_at is not null),
  held as (
    select make_interval(hours => $2::int * case
             when min(credited_at) < now() - make_interval(days => $3::int) and sum(reversed) = 0
             then 12 else 24 end) as time
      from paid)
  select coalesce(sum(usd - reversed), 0)::bigint as amount, min(credited_at + time) as until
    from paid, held where credited_at > now() - time and usd > reversed`;
