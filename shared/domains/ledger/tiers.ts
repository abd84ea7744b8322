import { Amount, Nullable, OneOf, Output } from '../../kernel/schema.ts';
import { TIERS, type Tier } from '../../kernel/rate_limit.ts';
import { toUsd, type Micros } from '../../kernel/money.ts';

/** Minimum settled inflow of a tree for each tier. */
export type TierLevels = Readonly<Record<Exclude<Tier, 'free'>, Micros>>;

export const NextTier = Nullable(
  Output('NextTier', {
    tier: OneOf(TIERS, 'The next one; null: this is the highest.'),
    from: Amount('Settled inflow it needs.'),
    missing: Amount('Inflow still missing.'),
  }),
);

/**
 * The tier of a tree. Its settled inflow decides: cash of transfers whose route says `settles`,
 * which are deposits and cleared sales. Credit does not count.
 */
export const tierOf = (levels: TierLevels, inflow: Micros): Tier =>
  TIERS.findLast((tier) => tier === 'free' || inflow >= levels[tier])!;

export function nextTierOf(levels: TierLevels, inflow: Micros) {
  const tier = TIERS[TIERS.indexOf(tierOf(levels, inflow)) + 1];
  if (tier === undefined || tier === 'free') return null;
  const from = levels[tier];
  return { tier, from: toUsd(from), missing: toUsd(from - inflow) };
}
