import { toUsd } from '../../../kernel/money.ts';
import { Amount, OneOf, Output, Time, Type } from '../../../kernel/schema.ts';
import { column, oneOf, rows, type Database, type Row } from '../../../platform/rows.ts';
import { RAILS } from '../../ledger/ledger.ts';
import { PAID_RAILS, type PaidRail } from '../chain/networks.ts';

/** Days after which a payment is in the next group, as an aging report has them. */
const DAYS = [1, 7, 30, 90] as const;

export const SUMS = Type.Array(
  Output('UnclaimedSum', {
    rail: OneOf(RAILS, 'Payment method.'),
    count: Type.Integer({ description: 'Unclaimed and held payments.' }),
    usd: Amount('Their value; those without a price count 0.'),
    unvalued: Type.Integer({ description: 'Payments without a price yet.' }),
    oldest_at: Time('Time of the oldest one.'),
    by_age: Type.Array(Amount('Value of a group.'), {
      minItems: DAYS.length + 1,
      maxItems: DAYS.length + 1,
      description: `Values by age: up to ${DAYS.join(', ')} days, and older.`,
    }),
  }),
  { maxItems: PAID_RAILS.length, description: 'Payments of nobody by rail.' },
);

const SUM = {
  rail: oneOf<PaidRail>(),
  count: column.int,
  usd: column.micros,
  unvalued: column.int,
  oldest_at: column.time,
  by_age: column.json,
};

/**
 * SQL: whether an unclaimed or held payment, `d`, waits for operators: it is claimed, decided by
 * one operator, or larger than this parameter.
 */
export const waitsForOperators = (reviewAbove: string) => `(
  d.status = 'held' and d.usd > ${reviewAbove}
  or exists (select from deposit_claim c where c.deposit_id = d.id and c.status = 'open')
  or exists (select from deposit_decision v
              where v.deposit_id = d.id and v.decided_at is null))`;

/** Sums of payments that are credited to nobody, by rail and age. */
export async function sumsOfUnclaimed(db: Database) {
  const found = await rows(
    db,
    SUM,
    `select rail, count(*)::int as count, coalesce(sum(suspended), 0)::bigint as usd,
            count(*) filter (where suspended is null)::int as unvalued, min(paid_at) as oldest_at,
            json_build_array(${[0, ...DAYS].map(sumFrom).join(', ')}) as by_age
       from deposit where status in ('unclaimed', 'held') group by rail order by rail`,
  );
  return found.map(show);
}

const sumFrom = (days: number, n: number) => {
  const before = DAYS[n] === undefined ? '' : `and paid_at > now() - interval '${DAYS[n]} days'`;
  return `coalesce(sum(suspended) filter (
            where paid_at <= now() - interval '${days} days' ${before}), 0)::text`;
};

const show = ({ usd, by_age, oldest_at, ...sum }: Row<typeof SUM>) => ({
  ...sum,
  usd: toUsd(usd),
  oldest_at: oldest_at.toISOString(),
  by_age: (by_age as string[]).map((micros) => toUsd(BigInt(micros))),
});
