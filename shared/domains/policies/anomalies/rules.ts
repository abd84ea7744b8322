import { toUsd, type Micros } from '../../../kernel/money.ts';
import type { RefusalCode } from '../../../kernel/refusal.ts';

/*
 * Rules for anomalies, in numbers. Each rule is about an agent's own actions, so nobody else can
 * cause its finding: decisions of a seller (goods out of stock, a higher price) do not count.
 */

/** An anomaly of more than `most` events within `seconds`. */
interface Burst {
  readonly seconds: number;
  readonly most: number;
}

/** Purchases, posted tasks and metered calls. */
export const DEBIT_BURST: Burst = { seconds: 60, most: 120 };
/** Purchases of one product. */
export const SAME_PURCHASE: Burst = { seconds: 180, most: 5 };
/** Spends that a policy or the balance refused. */
export const REFUSAL_BURST: Burst = { seconds: 300, most: 20 };
/** Different vaults opened of orders that were older than `ageSeconds` then. */
export const VAULT_HARVEST: Burst & { readonly ageSeconds: number } = {
  seconds: 600,
  most: 30,
  ageSeconds: 3_600,
};
/**
 * Spend of an agent and all below it on a UTC day: more than `times` the mean of the `days` before,
 * and more than the floor.
 */
export const DAILY_SPEND = { times: 5, days: 7, floor: 20_000_000n as Micros } as const;

export const RULES = [
  'debit_burst',
  'same_purchase',
  'refusal_burst',
  'daily_spend',
  'vault_harvest',
] as const;
export type Rule = (typeof RULES)[number];

/** Codes of refusals that REFUSAL_BURST counts. */
export const COUNTED_REFUSALS = [
  'tx_limit_exceeded',
  'daily_limit_exceeded',
  'product_type_not_allowed',
  'insufficient_balance',
] as const satisfies readonly RefusalCode[];

/** The observed number and the limit of a rule: a count, or micro-dollars. */
interface Observation {
  readonly rule: Rule;
  readonly seen: bigint;
  readonly allowed: bigint;
  readonly product_id: number | null;
}

/** Returns a sentence for the owner. */
export function explain({ rule, seen, allowed, product_id }: Observation): string {
  const within = ({ seconds }: Burst) => `within ${seconds} s (odd above ${allowed})`;
  switch (rule) {
    case 'debit_burst':
      return `It paid ${seen} times ${within(DEBIT_BURST)}.`;
    case 'same_purchase':
      return `It bought product ${product_id} ${seen} times ${within(SAME_PURCHASE)}.`;
    case 'refusal_burst':
      return `Its spends were refused ${seen} times ${within(REFUSAL_BURST)}.`;
    case 'vault_harvest':
      return `It opened ${seen} vaults of old orders ${within(VAULT_HARVEST)}.`;
    case 'daily_spend':
      return (
        `It spent $${toUsd(seen)} on one day (odd above $${toUsd(allowed)}: ${DAILY_SPEND.times} ` +
        `times its mean of ${DAILY_SPEND.days} days, $${toUsd(DAILY_SPEND.floor)} at least).`
      );
  }
}
