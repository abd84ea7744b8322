import { toUsd, type Micros } from '../ledger/money.ts';
import { Refusal, type RefusalCode } from '../kernel/refusal.ts';
import { column, nullable, oneOf, rows, type Database, type Row } from '../platform/rows.ts';

const MEMBER = {
  id: column.id,
  status: oneOf<'active' | 'suspended'>(),
  max_spend_per_tx: nullable(column.micros),
  daily_spend_limit: nullable(column.micros),
  allowed_product_types: column.texts,
  /** By it and everyone below it, today (UTC). */
  spent_today: column.micros,
};
/** An agent of a lineage with the limits it sets on itself and on everyone below it. */
type Member = Row<typeof MEMBER>;

/** Why a spend would not be allowed: which rule, of whom, and what would pass. */
export interface PolicyTrace {
  readonly rule: 'suspended' | 'allowed_product_types' | 'max_spend_per_tx' | 'daily_spend_limit';
  readonly policy_of: number;
  readonly limit?: number | readonly string[];
  readonly used?: number;
  readonly asked: number | string;
  readonly resets_at?: string;
  readonly largest_that_passes: number;
}

/** The agent and everyone above it, itself first. */
export function lineageOf(db: Database, agentId: number): Promise<Member[]> {
  return rows(
    db,
    MEMBER,
    `select m.id, m.status, p.max_spend_per_tx, p.daily_spend_limit,
            coalesce(p.allowed_product_types, '{}') as allowed_product_types,
            case when s.day = (now() at time zone 'UTC')::date then s.amount else 0 end
              as spent_today
       from agent a cross join lateral unnest(a.lineage) with ordinality as l(id, depth)
       join agent m on m.id = l.id join spend s on s.agent_id = m.id
       left join policy p on p.agent_id = m.id
      where a.id = $1 order by depth desc`,
    [agentId],
  );
}

/**
 * The first rule, in the order of the interface, that a spend of `amount` on `productType` breaks
 * for the agent or anyone above it; undefined when it may be spent.
 */
export function brokenRule(
  lineage: readonly Member[],
  { amount, productType, now }: { amount: Micros; productType: string; now: Date },
): { code: RefusalCode; message: string; trace: PolicyTrace } | undefined {
  const largest = largestThatPasses(lineage);
  const common = { asked: toUsd(amount), largest_that_passes: toUsd(largest) };

  for (const { id, status } of lineage) {
    if (status !== 'suspended') continue;
    const trace = { rule: 'suspended', policy_of: id, ...common, largest_that_passes: 0 } as const;
    const message = 'This agent, or one above it, is suspended and may not spend.';
    return { code: 'agent_suspended', message, trace };
  }
  for (const { id, allowed_product_types: limit } of lineage) {
    if (limit.length === 0 || limit.includes(productType)) continue;
    const trace = { rule: 'allowed_product_types', policy_of: id, limit, ...common } as const;
    const message = `The policy of agent ${id} allows only ${limit.join(', ')}.`;
    const refused = { ...trace, asked: productType, largest_that_passes: 0 };
    return { code: 'product_type_not_allowed', message, trace: refused };
  }
  for (const { id, max_spend_per_tx: limit } of lineage) {
    if (limit === null || amount <= limit) continue;
    const rule = 'max_spend_per_tx';
    const message = `The policy of agent ${id} allows $${toUsd(limit)} at a time.`;
    const trace = { rule, policy_of: id, limit: toUsd(limit), ...common } as const;
    return { code: 'tx_limit_exceeded', message, trace };
  }
  for (const { id, daily_spend_limit: limit, spent_today } of lineage) {
    if (limit === null || spent_today + amount <= limit) continue;
    const trace = {
      rule: 'daily_spend_limit',
      policy_of: id,
      limit: toUsd(limit),
      used: toUsd(spent_today),
      resets_at: nextUtcDay(now),
      ...common,
    } as const;
    const message = `The policy of agent ${id} allows $${toUsd(limit)} a day, of which $${toUsd(
      spent_today,
    )} is spent. The day ends at midnight UTC.`;
    return { code: 'daily_limit_exceeded', message, trace };
  }
  return undefined;
}

/** Refuses a spend that a policy of the lineage forbids. */
export function assertAllowed(
  lineage: readonly Member[],
  spend: { amount: Micros; productType: string; now: Date },
): void {
  const broken = brokenRule(lineage, spend);
  if (broken) throw new Refusal(broken.code, broken.message, { policy_trace: broken.trace });
}

function largestThatPasses(lineage: readonly Member[]): Micros {
  const limits = lineage.flatMap(({ max_spend_per_tx, daily_spend_limit, spent_today }) => [
    ...(max_spend_per_tx === null ? [] : [max_spend_per_tx]),
    ...(daily_spend_limit === null ? [] : [daily_spend_limit - spent_today]),
  ]);
  const least = limits.reduce((a, b) => (a < b ? a : b), 1_000_000_000_000n);
  return least > 0n ? least : 0n;
}

const nextUtcDay = (now: Date): string =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)).toISOString();
