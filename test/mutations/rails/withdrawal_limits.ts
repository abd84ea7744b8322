import type { Mutation } from '../mutation.ts';

const REVIEW = 'shared/withdrawals/review_rule.ts';
const RESERVE = 'shared/deposits/card/card_reserve.ts';
const DUE = 'shared/withdrawals/due_withdrawals.ts';
const PAY = 'shared/withdrawals/pay_withdrawals.ts';
const OURS = 'shared/deposits/wallets/our_addresses.ts';
const PAYOUTS = 'workers/gateways/evm/payouts.ts';
const sums = ['test/withdrawals/sums.test.ts'];
const unpayable = ['test/withdrawals/unpayable.test.ts'];
const ours = ['test/withdrawals/our_addresses.test.ts'];

/** How much may leave, where it came from, and what of it cannot be paid. */
export const WITHDRAWAL_LIMITS: readonly Mutation[] = [
  {
    name: 'parts_of_a_day_are_looked_at_alone',
    file: REVIEW,
    from: 'unseen.day + amount > fromUsd(reviewAbove)',
    to: 'amount > fromUsd(reviewAbove)',
    tests: sums,
  },
  {
    name: 'days_of_a_month_are_looked_at_alone',
    file: REVIEW,
    from: ' || unseen.month + amount > fromUsd(reviewAboveMonth)',
    to: '',
    tests: sums,
  },
  {
    name: 'an_approval_starts_no_new_sum',
    file: REVIEW,
    from: "and review = 'approved'), 0)",
    to: "and review = 'approve'), 0)",
    tests: sums,
  },
  {
    name: 'sums_are_of_everybody',
    file: REVIEW,
    from: "where root_id = $1 and status not in ('failed', 'cancelled')",
    to: "where $1 > 0 and status not in ('failed', 'cancelled')",
    tests: sums,
  },
  {
    name: 'failed_withdrawals_are_free',
    file: 'shared/withdrawals/withdrawal.ts',
    from: "and status <> 'cancelled'",
    to: "and status not in ('failed', 'cancelled')",
    tests: sums,
  },
  {
    name: 'card_money_leaves_at_once',
    file: 'shared/withdrawals/withdraw.ts',
    from: '    await assertWithdrawable(tx, balance);\n',
    to: '',
    tests: sums,
  },
  {
    name: 'quote_lets_card_money_leave',
    file: 'shared/withdrawals/quote_withdrawal.ts',
    from: 'withdrawableOf(cash, await cardReserve(tx.db, tx.config, rootId))',
    to: 'withdrawableOf(cash, { ...(await cardReserve(tx.db, tx.config, rootId)), amount: 0n })',
    tests: sums,
  },
  {
    name: 'every_tree_is_known_for_long',
    file: RESERVE,
    from: 'min(credited_at) < now() - make_interval(days => $3::int) and ',
    to: '$3::int > 0 and ',
    tests: sums,
  },
  {
    name: 'what_was_taken_back_is_forgotten',
    file: RESERVE,
    from: ' and sum(reversed) = 0',
    to: '',
    tests: sums,
  },
  {
    name: 'agents_addresses_are_paid_out_to',
    file: OURS,
    from: 'own.length > 0 || ',
    to: '',
    tests: ours,
  },
  {
    name: 'addresses_of_settings_are_paid_out_to',
    file: OURS,
    from: 'if (ofSettings(config).has(asked)) return true;',
    to: '',
    tests: ours,
  },
  {
    name: 'payouts_are_deposits',
    file: 'shared/deposits/chain/recipients.ts',
    from: 'all.has(address) && !isOwn && ',
    to: 'all.has(address) && (isOwn || !isOwn) && ',
    tests: ours,
  },
  {
    name: 'one_provider_ends_a_withdrawal',
    file: PAYOUTS,
    from: 'refusals.every((refusal) => refusal !== undefined) ? refusals[0] : undefined',
    to: 'refusals.find((refusal) => refusal !== undefined)',
    tests: unpayable,
  },
  {
    name: 'what_is_not_known_begins',
    file: PAY,
    from: 'refusal === undefined && fault === undefined',
    to: 'refusal === undefined',
    tests: unpayable,
  },
  {
    name: 'what_the_token_refuses_is_sent',
    file: PAY,
    from: 'for (const one of refused) closed += await giveBack(tx, one);',
    to: '',
    tests: unpayable,
  },
  {
    name: 'one_withdrawal_holds_up_all',
    file: DUE,
    from: '      short.add(one.root_id);\n',
    to: '      break;\n',
    tests: unpayable,
  },
  {
    name: 'a_tree_is_paid_out_of_order',
    file: DUE,
    from: '    if (short.has(one.root_id)) continue;\n',
    to: '',
    tests: unpayable,
  },
  {
    name: 'second_withdrawal_of_a_round_is_not_counted',
    file: DUE,
    from: '      usdc += one.amount;\n',
    to: '',
    tests: unpayable,
  },
  {
    name: 'what_another_round_began_is_not_counted',
    file: PAY,
    from: 'where closed_at is null and wallet_id = $1`',
    to: 'where false and wallet_id = $1`',
    tests: unpayable,
  },
  {
    name: 'quote_knows_no_address_of_ours',
    file: 'shared/withdrawals/quote_withdrawal.ts',
    from: '(await addressFault(tx, address)) ?',
    to: '(await addressFault(tx, address)) === address ?',
    tests: ours,
  },
  {
    name: 'one_operator_approves_twice',
    file: 'shared/withdrawals/review_withdrawal.ts',
    from: 'if (before !== caller.operator) return undefined;',
    to: 'if (before !== null) return undefined;',
    tests: ['test/withdrawals/second_operator.test.ts'],
  },
  {
    name: 'one_operator_approves_any_sum',
    file: 'shared/withdrawals/review_withdrawal.ts',
    from: 'if (before === null) return caller.operator;',
    to: 'if (before === null) return undefined;',
    tests: ['test/withdrawals/second_operator.test.ts'],
  },
];
