import { Amount, Nullable, OneOf, Output, Type, type Static } from '../../../kernel/schema.ts';
import { toUsd, type Micros } from '../../../kernel/money.ts';
import { column, nullable, oneOf, row, rows, type Database } from '../../../platform/rows.ts';

/** Reasons for which it was turned off by the platform. */
const OFF_BECAUSE = ['failures', 'authentication_required'] as const;

export const AutoRecharge = Output('AutoRecharge', {
  enabled: Type.Boolean({ description: 'Auto-recharge is on.' }),
  threshold: Nullable(Amount('Charges below this balance; null: not set.')),
  amount: Nullable(Amount('Amount of a charge.')),
  method: Type.Literal('card'),
  monthly_limit: Nullable(Amount('Maximum charged per month (UTC).')),
  charged_this_month: Amount('Charged or in progress this month.'),
  card: Nullable(
    Output({
      brand: Type.String({ description: 'Brand of the card, as visa.' }),
      last4: Type.String({ description: 'Last digits of the card.' }),
    }),
  ),
  off_because: Nullable(
    OneOf(
      OFF_BECAUSE,
      'Reason it was turned off: three failed charges, or the bank asks you. null: none.',
    ),
  ),
});
type AutoRecharge = Static<typeof AutoRecharge>;

const TERMS = {
  enabled: column.boolean,
  threshold: column.micros,
  amount: column.micros,
  monthly_limit: column.micros,
  off_because: nullable(oneOf<(typeof OFF_BECAUSE)[number]>()),
};

/** The settings of a tree. Undefined: none. */
export async function findTerms(db: Database, rootId: number) {
  const sql = `select enabled, threshold, amount, monthly_limit, off_because from auto_recharge
                where root_id = $1`;
  const [terms] = await rows(db, TERMS, sql, [rootId]);
  return terms;
}

export async function autoRechargeOf(db: Database, rootId: number): Promise<AutoRecharge> {
  const terms = await findTerms(db, rootId);
  const card = { brand: column.text, last4: column.text };
  const cards = 'select brand, last4 from saved_card where root_id = $1';
  const [saved] = await rows(db, card, cards, [rootId]);
  const usd = (micros: Micros | undefined) => (micros === undefined ? null : toUsd(micros));
  return {
    enabled: terms?.enabled ?? false,
    threshold: usd(terms?.threshold),
    amount: usd(terms?.amount),
    method: 'card' as const,
    monthly_limit: usd(terms?.monthly_limit),
    charged_this_month: toUsd(await chargedThisMonth(db, rootId)),
    card: saved ?? null,
    off_because: terms?.off_because ?? null,
  };
}

/** SQL: micro-dollars charged or in progress this month (UTC) for the tree of this root. */
export const chargedBy = (root: string): string =>
  `(select coalesce(sum(p.amount), 0)::bigint from recharge r join card_payment p on p.id = r.id
     where r.root_id = ${root} and r.status <> 'failed'
       and r.created_at >= date_trunc('month', now(), 'UTC'))`;

async function chargedThisMonth(db: Database, rootId: number): Promise<Micros> {
  return (await row(db, { sum: column.micros }, `select ${chargedBy('$1')} as sum`, [rootId])).sum;
}
