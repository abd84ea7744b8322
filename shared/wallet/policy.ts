import { toUsd, type Micros } from '../ledger/money.ts';
import type { Tx } from '../kernel/operation.ts';
import { Refusal, type RefusalCode } from '../kernel/refusal.ts';
import { column, nullable, oneOf, rows, type Row } from '../platform/rows.ts';

/** In the order in which a spend that breaks several is refused. */
const RULES = [
  'suspended',
  'allowed_product_types',
  'max_spend_per_tx',
  'daily_spend_limit',
] as const;
type Rule = (typeof RULES)[number];

const POLICY_CHECK = {
  agent_id: column.id,
  /** The first rule of this agent that the spend breaks. */
  broken: nullable(oneOf<Rule>()),
  max_spend_per_tx: nullable(column.micros),
  daily_spend_limit: nullable(column.micros),
  allowed_product_types: column.texts,
  /** By this agent and everyone below it, today (UTC). */
  spent_today: column.micros,
};
/** What the policy of one agent says to a spend of its own or of an agent below it. */
export type PolicyCheck = Row<typeof POLICY_CHECK>;

/** What an agent is about to pay, and what for. */
export interface Spend {
  readonly amount: Micros;
  readonly productType: string;
}

/** Why a spend is not allowed: which rule, of which agent, and which amount would pass. */
export interface PolicyTrace {
  readonly rule: Rule;
  readonly policy_of: number;
  readonly limit?: number | readonly string[];
  readonly used?: number;
  readonly asked: number | string;
  readonly resets_at?: string;
  readonly largest_that_passes: number;
}

/** The checks of the caller's own policy and of those above it, the nearest first. */
export function policyChecks(tx: Tx, { amount, productType }: Spend): Promise<PolicyCheck[]> {
  return rows(
    tx.db,
    POLICY_CHECK,
    `select agent_id, broken, max_spend_per_tx, daily_spend_limit, allowed_product_types,
            spent_today
       from policy_checks(array [$1::bigint], array [$2::bigint], array [$3])`,
    [tx.caller.agentId, amount, productType],
  );
}

/** A rule that forbids a spend, with the refusal that says so. */
export interface BrokenRule {
  readonly code: RefusalCode;
  readonly message: string;
  readonly trace: PolicyTrace;
}

/** The first rule, in the order of RULES and from the caller upwards, that the spend breaks. */
export async function findBrokenRule(tx: Tx, spend: Spend): Promise<BrokenRule | undefined> {
  return brokenRuleOf(await policyChecks(tx, spend), spend, tx.now);
}

/** Refuses a spend that a policy of the caller or of an agent above it forbids. */
export async function assertAllowed(tx: Tx, spend: Spend): Promise<void> {
  const broken = await findBrokenRule(tx, spend);
  if (broken) throw new Refusal(broken.code, broken.message, { policy_trace: broken.trace });
}

/** SQL has decided; this explains. */
function brokenRuleOf(
  checks: readonly PolicyCheck[],
  { amount, productType }: Spend,
  now: Date,
): BrokenRule | undefined {
  const rule = RULES.find((name) => checks.some(({ broken }) => broken === name));
  if (!rule) return undefined;
  const check = checks.find(({ broken }) => broken === rule)!;
  const { agent_id: policy_of } = check;
  const largest = toUsd(largestThatPasses(checks));
  const question = { asked: toUsd(amount), largest_that_passes: largest };
  switch (rule) {
    case 'suspended':
      return {
        code: 'agent_suspended',
        message:
          `Agent ${policy_of} is suspended: it and those below it may not spend. An agent above ` +
          'it may resume it, unless an operator has suspended it.',
        trace: { rule, policy_of, ...question, largest_that_passes: 0 },
      };
    case 'allowed_product_types': {
      const limit = check.allowed_product_types;
      return {
        code: 'product_type_not_allowed',
        message: `The policy of agent ${policy_of} allows only ${limit.join(', ')}.`,
        trace: { rule, policy_of, limit, asked: productType, largest_that_passes: 0 },
      };
    }
    case 'max_spend_per_tx': {
      const limit = toUsd(check.max_spend_per_tx!);
      return {
        code: 'tx_limit_exceeded',
        message: `The policy of agent ${policy_of} allows $${limit} at a time.`,
        trace: { rule, policy_of, limit, ...question },
      };
    }
    case 'daily_spend_limit': {
      const [limit, used] = [toUsd(check.daily_spend_limit!), toUsd(check.spent_today)];
      return {
        code: 'daily_limit_exceeded',
        message:
          `The policy of agent ${policy_of} allows $${limit} a day, of which $${used} is spent. ` +
          'The day ends at midnight UTC.',
        trace: { rule, policy_of, limit, used, resets_at: nextUtcDay(now), ...question },
      };
    }
  }
}

function largestThatPasses(checks: readonly PolicyCheck[]): Micros {
  const limits = checks.flatMap(({ max_spend_per_tx, daily_spend_limit, spent_today }) => [
    ...(max_spend_per_tx === null ? [] : [max_spend_per_tx]),
    ...(daily_spend_limit === null ? [] : [daily_spend_limit - spent_today]),
  ]);
  const least = limits.reduce((a, b) => (a < b ? a : b), 1_000_000_000_000n);
  return least > 0n ? least : 0n;
}

const nextUtcDay = (now: Date): string =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)).toISOString();
