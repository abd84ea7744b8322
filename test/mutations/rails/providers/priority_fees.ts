import type { Mutation } from '../../mutation.ts';

const FEE = 'workers/gateways/solana/priority_fee.ts';
const tests = ['test/tokens/priority_fee.test.ts'];

/** Fees of a transaction on Solana to be taken sooner. */
export const PRIORITY_FEES: readonly Mutation[] = [
  {
    name: 'priority_fee_has_no_limit',
    file: FEE,
    from: 'Math.min(wanted, limit)',
    to: 'Math.min(wanted, limit * 10)',
    tests,
    grep: 'no more than its limit',
  },
  {
    name: 'priority_fee_is_the_highest_of_late',
    file: FEE,
    from: 'const SHARE = 0.75;',
    to: 'const SHARE = 1;',
    tests,
    grep: 'no more than its limit',
  },
  {
    name: 'priority_fee_is_paid_where_it_is_turned_off',
    file: FEE,
    from: 'if (lamportsMax === 0) return 0;',
    to: 'if (lamportsMax === 0) return 50_000;',
    tests,
    grep: 'turned off',
  },
];
