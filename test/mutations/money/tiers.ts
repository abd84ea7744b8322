import type { Mutation } from '../mutation.ts';

const SCHEMA = 'migrations/0002_ledger.sql';
const APPLY = 'migrations/functions/ledger/apply_transfers.sql';
const RISES = 'shared/domains/ledger/tier_rises.ts';
const tests = ['test/wallet/tiers.test.ts'];

/** Which tier a tree has, and when. */
export const TIERS: readonly Mutation[] = [
  {
    name: 'refund_is_inflow',
    file: SCHEMA,
    from: "('order.refund',  'escrow',   'treasury', null, null, true,  true,  false)",
    to: "('order.refund',  'escrow',   'treasury', null, null, true,  true,  true)",
    tests,
  },
  {
    name: 'cleared_sale_is_no_inflow',
    file: SCHEMA,
    from: "('order.release', 'escrow',   'treasury', null, null, true,  true,  true)",
    to: "('order.release', 'escrow',   'treasury', null, null, true,  true,  false)",
    tests,
  },
  {
    name: 'credit_is_inflow',
    file: APPLY,
    from: 'else n.cash end)::bigint as cash',
    to: 'else n.cash + n.credit end)::bigint as cash',
    tests,
  },
  {
    name: 'tier_needs_more_than_its_amount',
    file: 'shared/domains/ledger/tiers.ts',
    from: 'inflow >= levels[tier]',
    to: 'inflow > levels[tier]',
    tests,
  },
  {
    name: 'tier_is_announced_with_every_inflow',
    file: RISES,
    from: 'rankOf(tier) > rankOf(',
    to: 'rankOf(tier) >= rankOf(',
    tests,
    grep: 'is announced once',
  },
  {
    name: 'tier_is_announced_whenever_it_is_not_free',
    file: RISES,
    from: "rankOf(announced ?? 'free')",
    to: "rankOf('free')",
    tests,
    grep: 'is announced once',
  },
  {
    name: 'tier_is_announced_before_anything_came_in',
    file: 'shared/domains/ledger/ledger.ts',
    from: "(({ to: [type], cash }) => type === 'treasury' && cash > 0n)",
    to: "(({ to: [type], credit }) => type === 'treasury' && credit > 0n)",
    tests,
    grep: 'is announced once',
  },
  {
    name: 'tier_of_a_known_key_stays',
    file: 'shared/domains/agents/known_keys.ts',
    from: 'const ENTRY_MS_MAX = 60_000;',
    to: 'const ENTRY_MS_MAX = 61_000;',
    tests,
    grep: 'within a minute',
  },
  {
    name: 'inflow_may_be_less_than_what_came_in',
    file: 'shared/domains/ledger/proofs.ts',
    from: 'where t.inflow <> coalesce(p.inflow, 0)',
    to: 'where t.inflow < coalesce(p.inflow, 0)',
    tests: ['test/kernel/audit.test.ts'],
    grep: 'come in to stay',
  },
];
