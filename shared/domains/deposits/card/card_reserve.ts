import type { Config } from '../../../composition/config.ts';
import type { Micros } from '../../../kernel/money.ts';
import { column, nullable, row, type Database } from '../../../platform/rows.ts';

/** Days since the first card payment after which a tree without reversals waits half as long. */
const KNOWN_DAYS = 90;

interface CardReserve {
  /** Micro-dollars of cash that may not be withdrawn. */
  readonly amount: Micros;
  /** Time of its next decrease; undefined: there is no reserve. */
  readonly until: Date | undefined;
}

/**
 * The amount that a tree must keep in its wallet, because the bank of a card may still take it
 * back: all card payments within `WITHDRAWAL_CARD_DAYS`, spent or not, and the cash from other
 * trees that may be of such payments, from each no more than came to it by card. A tree that is
 * KNOWN_DAYS old, and of which nothing was taken back, keeps nothing of what others paid.
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

/** Micro-dollars of a tree's cash that can be withdrawn. */
export const withdrawableOf = (cash: Micros, { amount }: Pick<CardReserve, 'amount'>): Micros =>
  cash > amount ? cash - amount : 0n;

const RESERVE = { amount: column.micros, until: nullable(column.time) };

const RESERVE_SQL = `
  with paid as (
    select usd, reversed, credited_at from deposit
     where root_id = $1 and rail = 'card' and credited_at is not null),
  held as (
    select make_interval(hours => $2::int * case
             when min(credited_at) < now() - make_interval(days => $3::int) and sum(reversed) = 0
             then 12 else 24 end) as time
      from paid),
  received as (
    select payer_root, sum(cash) as cash, min(paid_at) as paid_at
      from card_proceeds
     where root_id = $1 and paid_at > now() - make_interval(days => $2::int)
       and not exists (select from agent
                        where id = $1 and created_at < now() - make_interval(days => $3::int)
                          and not exists (select from paid where reversed > 0))
     group by payer_root),
  part as (
    select usd - reversed as amount, credited_at + time as until
      from paid, held where credited_at > now() - time and usd > reversed
    union all
    select least(cash, (
             select coalesce(sum(usd - reversed), 0) from deposit
              where root_id = payer_root and rail = 'card'
                and credited_at > now() - make_interval(days => $2::int)) + (
             select coalesce(sum(c.cash), 0) from card_proceeds c
              where c.root_id = received.payer_root
                and c.paid_at > now() - make_interval(days => $2::int))),
           paid_at + make_interval(days => $2::int)
      from received)
  select coalesce(sum(amount), 0)::bigint as amount, min(until) as until
    from part where amount > 0`;
