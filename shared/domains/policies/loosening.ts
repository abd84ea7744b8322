import type { Changes } from '../approvals/approval.ts';
import { GOVERNANCE_LEVELS, viewOf, type Policy } from './policy.ts';

type Field = keyof Policy;

/** The fields in which the second policy allows more than the first. */
export function loosenedFields(before: Policy, after: Policy): Changes['fields'] {
  const [from, to] = [viewOf(before), viewOf(after)];
  const fields = Object.keys(ALLOWS_MORE) as Field[];
  return fields
    .filter((field) => ALLOWS_MORE[field](before, after))
    .map((field) => ({ field, from: from[field], to: to[field] }));
}

type AllowsMore = (before: Policy, after: Policy) => boolean;

/** Whether a limit on an amount is higher than before; null is no limit. */
const isHigher =
  (
    field: 'max_spend_per_tx' | 'daily_spend_limit' | 'approval_threshold' | 'new_seller_threshold',
  ): AllowsMore =>
  ({ [field]: before }, { [field]: after }) =>
    before !== null && (after === null || after > before);

const levelOf = ({ governance_level }: Policy) => GOVERNANCE_LEVELS.indexOf(governance_level);

const ALLOWS_MORE: { readonly [field in Field]: AllowsMore } = {
  governance_level: (before, after) => levelOf(after) < levelOf(before),
  max_spend_per_tx: isHigher('max_spend_per_tx'),
  daily_spend_limit: isHigher('daily_spend_limit'),
  approval_threshold: isHigher('approval_threshold'),
  new_seller_threshold: isHigher('new_seller_threshold'),
  // An empty list allows all.
  allowed_product_types: ({ allowed_product_types: before }, { allowed_product_types: after }) =>
    before.length > 0 && (after.length === 0 || after.some((type) => !before.includes(type))),
  auto_suspend_on_anomaly: (before, after) =>
    before.auto_suspend_on_anomaly && !after.auto_suspend_on_anomaly,
  min_seller_buyers: ({ min_seller_buyers: before }, { min_seller_buyers: after }) =>
    before !== null && (after === null || after < before),
};
