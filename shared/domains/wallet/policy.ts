import { suspendedRefusal } from '../agents/status/suspension_refusal.ts';
import { toUsd, type Micros } from '../../kernel/money.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Refusal, type RefusalCode } from '../../kernel/refusal.ts';
import { Deferral } from '../../jobs/deferral.ts';
import type { AskingRule } from '../approvals/approval.ts';
import { ask, type Question } from '../approvals/ask.ts';
import { column, namesOf, nullable, oneOf, rows, type Row } from '../../platform/rows.ts';

/** Rules, in the order in which they refuse a spend. The last asks an owner. */
const RULES = [
  'suspended',
  'allowed_product_types',
  'min_seller_buyers',
  'max_spend_per_tx',
  'daily_spend_limit',
  'approval',
] as const;
type Rule = (typeof RULES)[number];

const POLICY_CHECK = {
  agent_id: column.id,
  /** The first rule of this agent that the spend breaks. */
  broken: nullable(oneOf<Rule>()),
  max_spend_per_tx: nullable(column.micros),
  daily_spend_limit: nullable(column.micros),
  approval_threshold: nullable(column.micros),
  new_seller_threshold: nullable(column.micros),
  /** Amount above which an owner has to approve it; null: not needed, or approved. */
  asks_above: nullable(column.micros),
  allowed_product_types: column.texts,
  /** Spend of this agent and everyone below it, today (UTC). */
  spent_today: column.micros,
  min_seller_buyers: nullable(column.int),
  /** Established buyers of the seller; null: the policy does not ask, or there is no seller. */
  seller_buyers: nullable(column.int),
};
/** The check of a spend by the policy of the spending agent or of one above it. */
type PolicyCheck = Row<typeof POLICY_CHECK>;

/** A payment that an agent is about to make. */
export interface Spend {
  readonly amount: Micros;
  readonly productType: string;
  /** Number of units. */
  readonly quantity: number;
  /** The product; absent: it is something else. */
  readonly productId?: number;
  readonly sellerId?: number;
  /** A title of what is paid for, if it is no product. */
  readonly title?: string;
}

/** Explains a refused spend: the rule, the agent whose policy it is, and the amount that passes. */
interface PolicyTrace {
  readonly rule: Exclude<Rule, 'approval'> | AskingRule;
  readonly policy_of: number;
  readonly limit?: number | readonly string[];
  readonly used?: number;
  readonly asked: number | string;
  readonly resets_at?: string;
  readonly largest_that_passes: number;
}

/**
 * Checks a spend by the caller's own policy and those above it, the nearest first. `job` is the
 * call that an owner may have approved.
 */
export function policyChecks(
  tx: Tx,
  { amount, productType, sellerId }: Pick<Spend, 'amount' | 'productType' | 'sellerId'>,
  job?: string,
): Promise<PolicyCheck[]> {
  return rows(
    tx.db,
    POLICY_CHECK,
    `select ${namesOf(POLICY_CHECK)}
       from policy_checks(array [$1::bigint], array [$2::bigint], array [$3], array [$4::uuid],
                          array [$5::bigint])`,
    [tx.caller.agentId, amount, productType, job ?? null, sellerId ?? null],
  );
}

/** A rule that forbids a spend, with the refusal that says so. */
interface BrokenRule {
  readonly code: RefusalCode;
  readonly message: string;
  readonly trace: PolicyTrace;
  /** The question to an owner, if only an approval is missing. */
  readonly asks?: Question;
}

/**
 * Finds the first rule, in the order of RULES and from the caller upwards, that the spend breaks;
 * of rules that ask, the one nearest the root, because its owner may decide for those below too.
 */
export async function findBrokenRule(
  tx: Tx,
  spend: Spend,
  job?: string,
): Promise<BrokenRule | undefined> {
  return brokenRuleOf(await policyChecks(tx, spend, job), spend, tx.now);
}

/**
 * Refuses a spend that a policy of the caller or of an agent above it forbids. If a policy requires
 * an approval, returns the deferral to throw when nothing else refuses the call. `job` is the call
 * that asks, if it is not this one.
 */
export async function assertAllowed(
  tx: Tx,
  spend: Spend,
  job = tx.key,
): Promise<Deferral | undefined> {
  const broken = await findBrokenRule(tx, spend, job);
  if (!broken) return undefined;
  const { code, message, trace, asks } = broken;
  const details = { policy_trace: trace };
  if (trace.rule === 'suspended') {
    throw await suspendedRefusal(tx, { agentId: trace.policy_of, stops: 'spend', ...details });
  }
  const refusal = new Refusal(code, message, details);
  if (!asks) throw refusal;
  return new Deferral(refusal, (own, call) => ask(own, asks, call));
}

/** Builds the refusal of a rule that SQL has found broken. */
function brokenRuleOf(
  checks: readonly PolicyCheck[],
  spend: Spend,
  now: Date,
): BrokenRule | undefined {
  const { amount, productType } = spend;
  const rule = RULES.find((name) => checks.some(({ broken }) => broken === name));
  if (!rule) return undefined;
  const breaks = ({ broken }: PolicyCheck) => broken === rule;
  const check = rule === 'approval' ? checks.findLast(breaks)! : checks.find(breaks)!;
  const { agent_id: policy_of } = check;
  const largest = toUsd(largestThatPasses(checks));
  const question = { asked: toUsd(amount), largest_that_passes: largest };
  switch (rule) {
    case 'suspended':
      return {
        code: 'agent_suspended',
        message: `Agent ${policy_of} is suspended.`,
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
    case 'min_seller_buyers': {
      const [limit, asked] = [check.min_seller_buyers!, check.seller_buyers!];
      return {
        code: 'seller_not_allowed',
        message:
          `The policy of agent ${policy_of} allows only sellers with ${limit} established ` +
          `buyers or more, and this one has ${asked}.`,
        trace: { rule, policy_of, limit, asked, largest_that_passes: 0 },
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
    case 'approval': {
      const asksAbove = check.asks_above!;
      const [field, limit] = [askingRuleOf(check), toUsd(asksAbove)];
      return {
        code: 'tx_limit_exceeded',
        message:
          field === 'governance_level'
            ? `The policy of agent ${policy_of} requires an approval of every spend of this ` +
              'agent for a day, because of an anomaly.'
            : `The policy of agent ${policy_of} requires an approval of spends above $${limit}.`,
        trace: { rule: field, policy_of, limit, ...question },
        asks: { ...spend, policyOf: policy_of, rule: field, asksAbove },
      };
    }
  }
}

/** The field of a policy that asks: the one with the amount; after an anomaly, the level. */
function askingRuleOf({ asks_above, ...policy }: PolicyCheck): AskingRule {
  const named = (['approval_threshold', 'new_seller_threshold'] as const).find(
    (field) => policy[field] === asks_above,
  );
  return named ?? 'governance_level';
}

function largestThatPasses(checks: readonly PolicyCheck[]): Micros {
  const limits = checks.flatMap(
    ({ max_spend_per_tx, asks_above, daily_spend_limit, spent_today }) => [
      ...(max_spend_per_tx === null ? [] : [max_spend_per_tx]),
      ...(asks_above === null ? [] : [asks_above]),
      ...(daily_spend_limit === null ? [] : [daily_spend_limit - spent_today]),
    ],
  );
  const least = limits.reduce((a, b) => (a < b ? a : b), 1_000_000_000_000n);
  return least > 0n ? least : 0n;
}

const nextUtcDay = (now: Date): string =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)).toISOString();
