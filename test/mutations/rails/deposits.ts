import type { Mutation } from '../mutation.ts';

const APPLY = 'migrations/functions/ledger/apply_transfers.sql';
const ATTACKS = ['test/ledger/attacks.test.ts'];
const tests = ['test/deposits/credit.test.ts'];

/** Money that comes in, and what of it is taken back. */
export const DEPOSITS: readonly Mutation[] = [
  {
    name: 'money_comes_in_without_a_deposit',
    file: APPLY,
    from: 'if incoming > 0 and exists',
    to: 'if incoming < 0 and exists',
    tests: ATTACKS,
  },
  {
    name: 'deposit_of_another_amount_or_tree',
    file: APPLY,
    from: 'and (d.account_id, d.root_id, d.usd) = (t.from_id, t.to_root, t.cash)',
    to: '',
    tests: ATTACKS,
  },
  {
    name: 'tree_that_owes_spends',
    file: APPLY,
    from: ' and (t.owed = 0 or not d.spends)',
    to: '',
    tests,
  },
  {
    name: 'reversed_deposit_stays_inflow',
    file: APPLY,
    from: "case n.to_account when 'asset' then -n.cash else n.cash end",
    to: 'n.cash',
    tests,
  },
  {
    name: 'tree_that_owes_is_not_refused',
    file: 'shared/wallet/spend.ts',
    from: 'if (holds.owed > 0n) throw',
    to: 'if (holds.owed < 0n) throw',
    tests,
  },
  {
    name: 'what_is_owed_can_be_spent',
    file: 'shared/ledger/ledger.ts',
    from: 'owed > 0n ? { credit: 0n, cash: 0n } : funds',
    to: 'funds',
    tests,
  },
  {
    name: 'deposit_does_not_pay_what_is_owed',
    file: 'shared/deposits/credit.ts',
    from: '  await payOwed(tx, rootId);\n',
    to: '',
    tests,
  },
  {
    name: 'reversal_says_what_is_left',
    file: 'shared/deposits/reverse.ts',
    from: 'amount: toUsd(amount) }',
    to: 'amount: toUsd(deposit.usd! - reversed) }',
    tests,
    grep: 'leaves the wallet',
  },
  {
    name: 'deposit_is_credited_again',
    file: 'shared/deposits/credit.ts',
    from: 'known.credited_at is null and',
    to: '',
    tests,
  },
];
