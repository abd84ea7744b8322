import { toUsd, type Micros } from '../../kernel/money.ts';
import { Amount, Nullable, OneOf, Output, Type } from '../../kernel/schema.ts';
import { CATEGORIES } from '../products/products.ts';
import { column, nullable, oneOf, someOf, type Row } from '../../platform/rows.ts';

export const GOVERNANCE_LEVELS = ['low', 'medium', 'high'] as const;
type GovernanceLevel = (typeof GOVERNANCE_LEVELS)[number];

/** The types a policy may allow: categories of products, work, withdrawals and tokens. */
export const SPENDING_TYPES = [...CATEGORIES, 'task', 'labor', 'withdrawal', 'token'] as const;
export type SpendingType = (typeof SPENDING_TYPES)[number];

/** The settings an owner makes for an agent. Amounts in micro-dollars. */
export const POLICY_COLUMNS = {
  governance_level: oneOf<GovernanceLevel>(),
  max_spend_per_tx: nullable(column.micros),
  daily_spend_limit: nullable(column.micros),
  /** Amounts above which an owner approves any spend, and the first purchase from a seller. */
  approval_threshold: nullable(column.micros),
  new_seller_threshold: nullable(column.micros),
  /** The allowed types; empty: all. */
  allowed_product_types: someOf<SpendingType>(),
  auto_suspend_on_anomaly: column.boolean,
  /** Established buyers that a seller must have. */
  min_seller_buyers: nullable(column.int),
};
export type Policy = Row<typeof POLICY_COLUMNS>;

/** The policy of an agent for which none was ever set. */
export const NO_LIMITS: Policy = Object.freeze({
  governance_level: 'low',
  max_spend_per_tx: null,
  daily_spend_limit: null,
  approval_threshold: null,
  new_seller_threshold: 1_000_000n,
  allowed_product_types: [],
  auto_suspend_on_anomaly: false,
  min_seller_buyers: null,
});

const LIMITS = {
  max_spend_per_tx: Nullable(Amount('Maximum spend of one call; null: no limit.')),
  daily_spend_limit: Nullable(Amount('Maximum spend of a UTC day; null: no limit.')),
  approval_threshold: Nullable(Amount('An owner approves calls above it; null: none.')),
  allowed_product_types: Nullable(
    Type.String({ description: 'Allowed categories, comma-separated; null: all.' }),
  ),
};

/** The limits of an agent's own policy and those above it together. */
export const EffectiveLimits = Output('EffectiveLimits', {
  max_spend_per_tx: Nullable(Amount('Maximum spend of one call.')),
  daily_spend_limit: Nullable(Amount('Maximum spend of a UTC day.')),
  approval_threshold: Nullable(Amount('An owner approves calls above it.')),
  allowed_product_types: Nullable(Type.String({ description: 'Categories.' })),
});

export const PolicyView = Output('Policy', {
  governance_level: OneOf(GOVERNANCE_LEVELS, 'Degree of control by its owner.'),
  ...LIMITS,
  new_seller_threshold: Nullable(
    Amount('At medium and high an owner approves a first purchase above it; null: none.'),
  ),
  auto_suspend_on_anomaly: Type.Boolean({
    description: 'An anomaly suspends it or an agent below.',
  }),
  min_seller_buyers: Nullable(Type.Integer({ description: 'Established buyers of its sellers.' })),
});

export const viewOf = ({ allowed_product_types: types, ...policy }: Policy) => ({
  governance_level: policy.governance_level,
  max_spend_per_tx: usdOf(policy.max_spend_per_tx),
  daily_spend_limit: usdOf(policy.daily_spend_limit),
  approval_threshold: usdOf(policy.approval_threshold),
  new_seller_threshold: usdOf(policy.new_seller_threshold),
  allowed_product_types: types.length === 0 ? null : types.join(','),
  auto_suspend_on_anomaly: policy.auto_suspend_on_anomaly,
  min_seller_buyers: policy.min_seller_buyers,
});

/** The limits under all of these policies together. An empty string allows no type. */
export function limitsUnder(policies: readonly Policy[]) {
  const least = (limits: readonly (Micros | null)[]) =>
    limits.reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null);
  const lists = policies.map((policy) => policy.allowed_product_types);
  const [first, ...others] = lists.filter(({ length }) => length > 0);
  const common = first?.filter((type) => others.every((types) => types.includes(type)));
  return {
    max_spend_per_tx: usdOf(least(policies.map((policy) => policy.max_spend_per_tx))),
    daily_spend_limit: usdOf(least(policies.map((policy) => policy.daily_spend_limit))),
    approval_threshold: usdOf(least(policies.map((policy) => policy.approval_threshold))),
    allowed_product_types: common?.join(',') ?? null,
  };
}

const usdOf = (micros: Micros | null) => (micros === null ? null : toUsd(micros));

/** SQL: whether `s`, what was spent on a day, is 80 % or more of the limit of the policy `p`. */
export const IS_NEAR = 'p.daily_spend_limit > 0 and s.amount >= p.daily_spend_limit * 0.8';
