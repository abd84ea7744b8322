import { toUsd } from '../../../kernel/money.ts';
import { Amount, Type } from '../../../kernel/schema.ts';
import { field, view } from '../../../kernel/view.ts';
import { jsonOf, rows, type Database } from '../../../platform/rows.ts';
import { RAILS } from '../../ledger/ledger.ts';
import { PAID_RAILS } from '../chain/networks.ts';

/** Days after which a payment is in the next group, as an aging report has them. */
const DAYS = [1, 7, 30, 90] as const;

const SUM = view('UnclaimedSum', {
  rail: field.oneOf(RAILS, 'Payment method.'),
  count: field.whole('Unclaimed and held payments.'),
  unvalued: field.whole('Payments without a price yet.'),
  usd: field.amount('Their value; those without a price count 0.'),
  oldest_at: field.time('Time of the oldest one.'),
  by_age: {
    schema: Type.Array(Amount('Value of a group.'), {
      minItems: DAYS.length + 1,
      maxItems: DAYS.length + 1,
      description: `Values by age: up to ${DAYS.join(', ')} days, and older.`,
    }),
    column: jsonOf<string[]>(),
    show: (sums: string[]) => sums.map((micros) => toUsd(BigInt(micros))),
  },
});
export const SUMS = Type.Array(SUM.schema, {
  maxItems: PAID_RAILS.length,
  description: 'Payments of nobody by rail.',
});

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
    SUM.columns,
    `select rail, count(*)::int as count, coalesce(sum(suspended), 0)::bigint as usd,
            count(*) filter (where suspended is null)::int as unvalued, min(paid_at) as oldest_at,
            json_build_array(${[0, ...DAYS].map(sumFrom).join(', ')}) as by_age
       from deposit where status in ('unclaimed', 'held') group by rail order by rail`,
  );
  return found.map(SUM.show);
}

const sumFrom = (days: number, n: number) => {
  const before = DAYS[n] === undefined ? '' : `and paid_at > now() - interval '${DAYS[n]} days'`;
  return `coalesce(sum(suspended) filter (
            where paid_at <= now() - interval '${days} days' ${before}), 0)::text`;
};
