import { suspendedRefusal } from '../agents/status/suspended.ts';
import { toUsd, type Micros } from '../ledger/money.ts';
import type { Tx } from '../kernel/operation.ts';
import { Refusal, type RefusalCode } from '../kernel/refusal.ts';
import { Deferral } from '../jobs/deferral.ts';
import type { AskingRule } from '../approvals/approval.ts';
import { ask, type Question } from '../approvals/ask.ts';
import { column, namesOf, nullable, oneOf, rows, type Row } from '../platform/rows.ts';

/** In the order in which a spend that breaks several is refused. The last one asks an owner. */
const RULES = [
  'suspended',
  'allowed_product_types',
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
  /** Above this an owner has to approve it; null: none has to, or one has. */
  asks_above: nullable(column.micros),
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
  /** How many units. */
  readonly quantity: number;
  /** Absent: it is no product. */
  readonly productId?: number;
  readonly sellerId?: number;
  /** Of what is paid for, where that is no product. */
  readonly title?: string;
}

/** Why a spend is not allowed: which rule, of which agent, and which amount would pass. */
export interface PolicyTrace {
  readonly rule: Exclude<Rule, 'approval'> | AskingRule;
  readonly policy_of: number;
  readonly limit?: number | readonly string[];
  readonly used?: number;
  readonly asked: number | string;
  readonly resets_at?: string;
  readonly largest_that_passes: number;
}

/**
 * The checks of the caller's own policy and of those above it, the nearest first. `job` is the call
 * that an owner may have approved.
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
export interface BrokenRule {
  readonly code: RefusalCode;
  readonly message: string;
  readonly trace: PolicyTrace;
  /** What an owner is asked, where that is all that is missing. */
  readonly asks?: Question;
}

/**
 * The first rule, in the order of RULES and from the caller upwards, that the spend breaks; of
 * those that ask, the one nearest the root, because whoever may decide there may decide below too.
 */
export async function findBrokenRule(
  tx: Tx,
  spend: Spend,
  job?: string,
): Promise<BrokenRule | undefined> {
  return brokenRuleOf(await policyChecks(tx, spend, job), spend, tx.now);
}

/**
 * Refuses a spend that a policy of the caller or of an agent above it forbids. Where one has an
 * owner approve it, it returns what is to be thrown when nothing else refuses the call. `job` is
 * the call that asks, if it is not this one.
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

/** SQL has decided; this explains. */
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
            ? `The policy of agent ${policy_of} has an owner approve all that this agent spends, ` +
              'because it did something odd within a day.'
            : `The policy of agent ${policy_of} has an owner approve more than $${limit}.`,
        trace: { rule: field, policy_of, limit, ...question },
        asks: { ...spend, policyOf: policy_of, rule: field, asksAbove },
      };
    }
  }
}

/** By which field a policy asks: that which names the amount; none does after an anomaly. */
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
