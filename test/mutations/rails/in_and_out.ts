import type { Mutation } from '../mutation.ts';

const HOT = 'shared/domains/withdrawals/hot_wallet.ts';
const CLOSING = 'shared/domains/withdrawals/closing.ts';
const PAYMENTS = 'shared/domains/x402/payments.ts';
const OWED = 'shared/domains/deposits/debt.ts';
const ADDRESS = 'shared/domains/deposits/wallets/own_address.ts';
const VERIFY = 'shared/domains/deposits/chain/verify.ts';
const FAULTS = ['test/withdrawals/faults.test.ts'];
const WITHDRAW = ['test/withdrawals/withdraw.test.ts'];
const CREDIT = ['test/deposits/credit.test.ts'];
const RECHARGES = ['test/deposits/auto_recharge.test.ts'];
const TRON = ['test/deposits/tron/tron_verify.test.ts'];
const VERIFIED = ['test/deposits/evm/evm_verify.test.ts', 'test/deposits/solana/verify.test.ts'];
const X402 = ['test/x402/pay.test.ts', 'test/x402/hostile.test.ts'];

/** Money that comes in and is paid out: its owner, its amount and its source. */
export const MONEY_IN_AND_OUT: readonly Mutation[] = [
  {
    name: 'wallet_that_others_use_pays',
    file: HOT,
    from: 'used > next_nonce\n',
    to: 'used > next_nonce + 1_000\n',
    tests: FAULTS,
  },
  {
    name: 'gas_costs_anything',
    file: HOT,
    from: 'if (fees.max > needed.feeMax) {',
    to: 'if (fees.max < 0n) {',
    tests: WITHDRAW,
    grep: 'too little USDC',
  },
  {
    name: 'wallet_pays_more_than_it_has',
    file: HOT,
    from: 'if (usdc < needed.usdc) {',
    to: 'if (usdc < 0n) {',
    tests: WITHDRAW,
    grep: 'too little USDC',
  },
  {
    name: 'payment_begins_without_gas',
    file: HOT,
    from: 'return native < gas ?',
    to: 'return native < 0n ?',
    tests: WITHDRAW,
    grep: 'too little USDC',
  },
  {
    name: 'two_payments_have_one_nonce',
    file: HOT,
    from: '  wallet.next_nonce += 1;\n',
    to: '',
    tests: WITHDRAW,
  },
  {
    name: 'withdrawal_that_comes_back_counts_to_the_limits',
    file: CLOSING,
    from: 'if (!isPaid) await refundSpend',
    to: 'if (isPaid) await refundSpend',
    tests: WITHDRAW,
  },
  {
    name: 'denied_withdrawal_still_waits_for_its_review',
    file: CLOSING,
    from: `case when review = 'pending' and $2 = 'failed' then 'denied'
                          when review = 'pending' then null else review end`,
    to: 'review',
    tests: WITHDRAW,
  },
  {
    name: 'withdrawal_is_not_told_of',
    file: CLOSING,
    from: '  await tell(db, withdrawal, end.status, hash);\n',
    to: '',
    tests: WITHDRAW,
  },
  {
    name: 'payment_that_is_recorded_is_another',
    file: PAYMENTS,
    from: 'where network = $1 and asset = $2 and payer = $3 and nonce = $4`',
    to: "where network = $1 and asset = $2 and payer = $3 and nonce >= '' || left($4, 0)`",
    tests: X402,
  },
  {
    name: 'payment_of_a_child_is_its_own_money',
    file: 'shared/domains/x402/credit_payment.ts',
    from: 'const rootId = payment.root_id ?? agentId;',
    to: 'const rootId = agentId;',
    tests: ['test/x402/pay.test.ts'],
  },
  {
    name: 'more_is_collected_than_is_owed',
    file: OWED,
    from: 'const amount = owed < cash ? owed : cash;',
    to: 'const amount = owed > 0n ? cash : 0n;',
    tests: CREDIT,
  },
  {
    name: 'part_of_what_is_owed_is_not_collected',
    file: OWED,
    from: 'const amount = owed < cash ? owed : cash;',
    to: 'const amount = owed < cash ? owed : 0n;',
    tests: CREDIT,
  },
  {
    name: 'cash_that_comes_in_otherwise_pays_nothing_owed',
    file: 'shared/domains/deposits/collect_owed.ts',
    from: 'for (const { id } of trees) await payDebt(tx, id);',
    to: 'void [payDebt, trees];',
    tests: CREDIT,
  },
  {
    name: 'what_is_owed_is_collected_without_a_lock',
    file: 'shared/domains/deposits/collect_owed.ts',
    from: 'await lockTreasuries(tx.db, found);',
    to: 'void lockTreasuries;',
    tests: CREDIT,
    grep: 'while what is owed',
  },
  {
    name: 'card_of_another_tree_is_charged',
    file: 'shared/domains/deposits/card/saved_card.ts',
    from: 'from saved_card where root_id = $1`',
    to: 'from saved_card where root_id >= $1 or true order by root_id`',
    tests: RECHARGES,
  },
  {
    name: 'address_of_one_agent_is_that_of_all',
    file: ADDRESS,
    from: 'where family = $1 and agent_id = $2',
    to: 'where family = $1 and $2 > 0',
    tests: TRON,
  },
  {
    name: 'own_address_is_not_kept',
    file: ADDRESS,
    from: '[family, agentId, address, rootId]',
    to: '[family, agentId + 1_000_000, address, rootId]',
    tests: TRON,
  },
  {
    name: 'deposit_of_another_is_shown_to_whoever_verifies',
    file: VERIFY,
    from: 'deposit?.root_id === tx.caller.rootId ? deposit : []',
    to: 'deposit ?? []',
    tests: VERIFIED,
  },
  {
    name: 'transaction_that_failed_is_credited',
    file: VERIFY,
    from: "if (found.status === 'failed') return refusals.failed();",
    to: "if (found.status === 'failed') return refusals.unknown();",
    tests: VERIFIED,
  },
];
