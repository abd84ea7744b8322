import type { Mutation } from './mutation.ts';

export const LEDGER: readonly Mutation[] = [
  {
    name: 'transfers_may_be_edited',
    file: 'migrations/functions/ledger/append_only.sql',
    from: 'raise exception',
    to: 'return null;\n  raise exception',
    tests: ['test/ledger/attacks.test.ts'],
  },
];
