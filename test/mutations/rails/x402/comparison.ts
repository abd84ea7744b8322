import type { Mutation } from '../../mutation.ts';

const COMPARE = 'shared/domains/x402/chain/compare_x402_payments.ts';
const TRANSFERS = 'workers/gateways/x402/transfers.ts';
const PROOFS = 'shared/domains/x402/proofs.ts';
const RAILS = 'shared/domains/operators/rails_status.ts';
const COMPARED = ['test/x402/compare_payments.test.ts'];
const SUSPEND = 'shared/domains/x402/chain/suspend_x402_transfers.ts';
const SUSPENDED = ['test/x402/suspended_transfers.test.ts'];
const MANY = ['test/x402/many_transfers.test.ts'];
const AUDIT = ['test/kernel/audit.test.ts'];

/** Payments by x402 compared with the chain. */
export const X402_COMPARISON: readonly Mutation[] = [
  {
    name: 'transfer_is_of_the_authorization_that_was_used_after_it',
    file: TRANSFERS,
    from: 'uses.get(positionOf(log, -1))',
    to: 'uses.get(positionOf(log, 1))',
    tests: COMPARED,
  },
  {
    name: 'transfer_of_nothing_is_compared',
    file: TRANSFERS,
    from: 'BigInt(data) > 0n',
    to: 'BigInt(data) >= 0n',
    tests: COMPARED,
  },
  {
    name: 'what_was_read_before_a_fault_is_lost',
    file: COMPARE,
    from: 'return { from, to, isCaughtUp, transfers, sent, held: null, fault };',
    to: 'return { from, to, isCaughtUp, transfers: [], sent, held: null, fault };',
    tests: COMPARED,
  },
  {
    name: 'payments_before_the_first_comparison_are_passed_over',
    file: COMPARE,
    from: 'Math.min(final, beforeFirst ?? final)',
    to: 'Math.max(final, beforeFirst ?? final)',
    tests: COMPARED,
  },
  {
    name: 'lapsed_payment_on_the_chain_is_not_credited',
    file: COMPARE,
    from: "p.status <> 'settled'",
    to: "p.status = 'open'",
    tests: COMPARED,
  },
  {
    name: 'open_payment_on_the_chain_waits_for_its_time',
    file: COMPARE,
    from: "p.status <> 'settled'",
    to: "p.status = 'lapsed'",
    tests: COMPARED,
  },
  {
    name: 'payment_of_another_amount_is_on_the_chain',
    file: PROOFS,
    from: '(t.amount, t.pay_to) is distinct from (p.amount, c.pay_to)',
    to: 't.pay_to is distinct from c.pay_to',
    tests: AUDIT,
  },
  {
    name: 'payment_to_another_address_is_on_the_chain',
    file: PROOFS,
    from: '(t.amount, t.pay_to) is distinct from (p.amount, c.pay_to)',
    to: 't.amount is distinct from p.amount',
    tests: AUDIT,
  },
  {
    name: 'payment_is_missed_before_its_block_is_final',
    file: PROOFS,
    from: 'and p.block_number <= c.compared_to',
    to: '',
    tests: COMPARED,
  },
  {
    name: 'payment_is_missed_in_blocks_before_the_comparison_began',
    file: PROOFS,
    from: 'p.block_number > c.began_after',
    to: 'p.block_number > 0',
    tests: COMPARED,
  },
  {
    name: 'payment_for_a_call_is_of_nobody',
    file: SUSPEND,
    from: "and p.status <> 'lapsed')",
    to: "and p.status = 'lapsed')",
    tests: SUSPENDED,
  },
  {
    name: 'transfer_of_nobody_is_recorded_twice',
    file: SUSPEND,
    from: 'index: indexOf(transfer.log_index),',
    to: 'index: indexOf(transfer.log_index) + 1_000,',
    tests: SUSPENDED,
  },
  {
    name: 'transfer_that_pays_for_no_call_is_paid_back_by_another',
    file: 'shared/domains/deposits/unclaimed/sent_from_calls.ts',
    from: 'where tx_hash = $1 order by log_index',
    to: 'where $1::text is not null order by log_index',
    tests: SUSPENDED,
  },
  {
    name: 'transfers_to_calls_are_not_of_linked_wallets',
    file: 'shared/domains/deposits/wallets/link_wallet.ts',
    from: 'chainOf(rail).family === network',
    to: "rail !== 'x402' && chainOf(rail).family === network",
    tests: SUSPENDED,
  },
  {
    name: 'rail_of_x402_shows_how_far_base_was_searched',
    file: RAILS,
    from: "rail === 'x402' ? compared : cursors",
    to: "rail === 'x402' && !config ? compared : cursors",
    tests: COMPARED,
  },
  {
    name: 'payment_of_a_final_block_is_over_by_the_word_of_one_node',
    file: 'shared/domains/x402/payments.ts',
    from: "where id = $1 and ($2 = '${USED_BEFORE}' or not exists (",
    to: "where id = $1 and ($2 = '${USED_BEFORE}' or true or not exists (",
    tests: COMPARED,
  },
  {
    name: 'payment_used_before_it_was_sent_stays_open_for_ever',
    file: 'shared/domains/x402/payments.ts',
    from: "where id = $1 and ($2 = '${USED_BEFORE}' or not exists (",
    to: 'where id = $1 and $2 is not null and (not exists (',
    tests: COMPARED,
  },
  {
    name: 'what_left_the_address_of_x402_is_not_read',
    file: TRANSFERS,
    from: 'await movedBy([TRANSFER, topicOf(payTo)])',
    to: 'await movedBy([TRANSFER, topicOf(payTo), topicOf(payTo)])',
    tests: COMPARED,
  },
  {
    name: 'balance_of_x402_is_that_of_the_newest_block',
    file: TRANSFERS,
    from: '{ to: asset, data }, hex(block)]',
    to: "{ to: asset, data }, 'latest']",
    tests: COMPARED,
  },
  {
    name: 'first_balance_of_x402_moves_with_each_reading',
    file: COMPARE,
    from: 'base_held = coalesce(known.base_held, excluded.base_held)',
    to: 'base_held = coalesce(excluded.base_held, known.base_held)',
    tests: COMPARED,
  },
  {
    name: 'balance_of_x402_is_never_noted_again',
    file: COMPARE,
    from: 'held = coalesce(excluded.held, known.held)',
    to: 'held = coalesce(known.held, excluded.held)',
    tests: COMPARED,
  },
  {
    name: 'what_left_the_address_of_x402_is_missed_in_its_balance',
    file: PROOFS,
    from: ' - coalesce(sent.amount, 0)`',
    to: '`',
    tests: COMPARED,
  },
  {
    name: 'payments_to_calls_have_the_indexes_of_deposits',
    file: 'shared/domains/x402/deposit_index.ts',
    from: 'INDEX_FROM + logIndex',
    to: 'logIndex',
    tests: MANY,
  },
  {
    name: 'transfers_alike_in_a_transaction_are_one',
    file: SUSPEND,
    from: "d.rail = 'x402' and d.sender is not null",
    to: 'd.sender is null',
    tests: MANY,
  },
  {
    name: 'transfers_that_are_left_are_suspended_for_the_audit',
    file: SUSPEND,
    from: 'open.size === nameless.length && open.size < TRANSFERS_MAX',
    to: 'open.size === nameless.length',
    tests: MANY,
  },
  {
    name: 'own_transfer_to_the_address_of_calls_is_owed',
    file: COMPARE,
    from: 't.sender = any ($10)',
    to: 't.sender <> all ($10)',
    tests: SUSPENDED,
  },
  {
    name: 'dust_holds_up_transfers_that_pay_for_no_call',
    file: SUSPEND,
    from: 'order by amount desc, block_number',
    to: 'order by amount, block_number',
    tests: MANY,
  },
  {
    name: 'payment_that_was_paid_back_pays_for_a_call',
    file: 'shared/domains/x402/credit_payment.ts',
    from: " or status = 'returned')",
    to: ')',
    tests: SUSPENDED,
  },
  {
    name: 'transfer_of_before_is_recorded_again',
    file: SUSPEND,
    from: 'in (t.log_index, t.log_index + ${INDEX_FROM})',
    to: 'in (t.log_index + ${INDEX_FROM})',
    tests: SUSPENDED,
  },
  {
    name: 'transfer_of_before_pays_for_a_call_again',
    file: 'shared/domains/x402/credit_payment.ts',
    from: 'tx_index in ($3, $4)',
    to: '$3 > 0 and tx_index in ($4)',
    tests: SUSPENDED,
  },
  {
    name: 'one_transfer_pays_back_a_call_and_a_deposit',
    file: 'shared/domains/deposits/unclaimed/decide_unclaimed_payment.ts',
    from: '    !calls.includes(spellingOf(family, transfer.from)) &&\n',
    to: '',
    tests: MANY,
  },
];
