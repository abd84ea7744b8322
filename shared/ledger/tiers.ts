import { Amount, Nullable, OneOf, Output } from '../kernel/schema.ts';
import { TIERS, type Tier } from '../kernel/rate_limit.ts';
import { toUsd, type Micros } from './money.ts';

/** From how much settled inflow on a tree has a tier. */
export type TierLevels = Readonly<Record<Exclude<Tier, 'free'>, Micros>>;

export const NextTier = Nullable(
  Output('NextTier', {
    tier: OneOf(TIERS, 'The next one; null: this is the highest.'),
    from: Amount('The settled inflow that it needs.'),
    missing: Amount('What is missing of that.'),
  }),
);

/**
 * What has come into a tree to stay decides its tier: cash of the kinds of transfers whose route
 * says so (`settles`), deposits and cleared sales. Credit is none of it.
 */
export const tierOf = (levels: TierLevels, inflow: Micros): Tier =>
  TIERS.findLast((tier) => tier === 'free' || inflow >= levels[tier])!;

export function nextTierOf(levels: TierLevels, inflow: Micros) {
  const tier = TIERS[TIERS.indexOf(tierOf(levels, inflow)) + 1];
  if (tier === undefined || tier === 'free') return null;
  const from = levels[tier];
  return { tier, from: toUsd(from), missing: toUsd(from - inflow) };
}
