import type { Mutation } from '../mutation.ts';

const DISPUTE = 'shared/orders/dispute_order.ts';
const DECIDE = 'shared/orders/decide_dispute.ts';
const UNANSWERED = 'shared/orders/refund_unanswered_disputes.ts';
const RELEASE = 'shared/orders/release_due_orders.ts';
const DECISIONS = 'test/orders/decide_dispute.test.ts';
const RELEASES = 'test/orders/release_due_orders.test.ts';
const DISPUTES = 'test/orders/dispute_order.test.ts';
const UNANSWERED_DISPUTES = 'test/orders/refund_unanswered_disputes.test.ts';
const RESPONSES = 'test/orders/respond_dispute.test.ts';
const WITHDRAWALS = 'test/orders/withdraw_dispute.test.ts';
const RACES = 'test/orders/order_races.test.ts';

export const DISPUTED_ORDERS: readonly Mutation[] = [
  {
    name: 'order_is_disputed_after_its_release_is_due',
    file: DISPUTE,
    from: 'order.release_at <= tx.now',
    to: 'order.release_at < new Date(0)',
    tests: [DISPUTES],
  },
  {
    name: 'closed_order_is_disputed',
    file: DISPUTE,
    from: "    assertStatus(order, 'escrow');\n",
    to: '',
    tests: [DISPUTES],
  },
  {
    name: 'seller_has_less_time_to_answer',
    file: 'shared/orders/disputes.ts',
    from: 'RESPONSE_HOURS = 48',
    to: 'RESPONSE_HOURS = 47',
    tests: [DISPUTES],
  },
  {
    name: 'dispute_is_answered_twice',
    file: 'shared/orders/respond_dispute.ts',
    from: ' and responded_at is null',
    to: '',
    tests: [RESPONSES],
  },
  {
    name: 'closed_dispute_is_answered',
    file: 'shared/orders/respond_dispute.ts',
    from: "    assertStatus(order, 'disputed');\n",
    to: '',
    tests: [RESPONSES],
  },
  {
    name: 'withdrawal_refunds_the_buyer',
    file: 'shared/orders/withdraw_dispute.ts',
    from: '({ subtotal }) => subtotal',
    to: '() => 0n',
    tests: [WITHDRAWALS],
  },
  {
    name: 'withdrawal_of_a_closed_dispute',
    file: 'shared/orders/withdraw_dispute.ts',
    from: "    assertStatus(order, 'disputed');\n",
    to: '',
    tests: [WITHDRAWALS],
  },
  {
    name: 'verdict_on_a_closed_dispute',
    file: DECIDE,
    from: "    assertStatus(order, 'disputed');\n",
    to: '',
    tests: [DECISIONS],
  },
  {
    name: 'split_gives_the_seller_all',
    file: DECIDE,
    from: 'earned < subtotal) return',
    to: 'earned <= subtotal) return',
    tests: [DECISIONS],
  },
  {
    name: 'split_gives_the_seller_nothing',
    file: DECIDE,
    from: 'earned > 0n &&',
    to: 'earned >= 0n &&',
    tests: [DECISIONS],
  },
  {
    name: 'verdicts_are_swapped',
    file: DECIDE,
    from: "verdict === 'release' ? subtotal : 0n",
    to: "verdict === 'refund' ? subtotal : 0n",
    tests: [DECISIONS],
  },
  {
    name: 'answered_dispute_is_lost',
    file: UNANSWERED,
    from: 'responded_at is null and ',
    to: '',
    tests: [UNANSWERED_DISPUTES],
  },
  {
    name: 'dispute_is_lost_before_its_time',
    file: UNANSWERED,
    from: 'respond_by <= now()',
    to: "respond_by <= now() + interval '1 hour'",
    tests: [UNANSWERED_DISPUTES],
  },
  {
    name: 'answer_in_the_last_moment_is_ignored',
    file: UNANSWERED,
    from: "status === 'disputed' && unanswered.has(id)",
    to: "status === 'disputed'",
    tests: [RESPONSES, UNANSWERED_DISPUTES],
  },
  {
    name: 'dispute_is_refunded_by_two_timers',
    file: UNANSWERED,
    from: "status === 'disputed' && unanswered.has(id)",
    to: 'unanswered.has(id)',
    tests: [UNANSWERED_DISPUTES],
    equivalent: 'the second look leaves out disputes that are closed',
  },
  {
    name: 'order_is_released_before_its_time',
    file: RELEASE,
    from: 'release_at <= now()',
    to: "release_at <= now() + interval '1 hour'",
    tests: [RELEASES],
  },
  {
    name: 'order_is_released_by_two_timers',
    file: RELEASE,
    from: "locked.filter(({ status }) => status === 'escrow').toSorted",
    to: 'locked.toSorted',
    tests: [RELEASES, RACES],
  },
  {
    name: 'release_ends_after_the_first_many',
    file: RELEASE,
    from: 'due.length === ORDERS_MAX',
    to: 'due.length > ORDERS_MAX',
    tests: [RELEASES],
  },
  {
    name: 'one_order_that_cannot_be_released_stops_all',
    file: 'shared/jobs/sweep.ts',
    from: 'if (group.length === 1) {',
    to: 'if (group.length >= 1) {',
    tests: [RELEASES],
  },
];
