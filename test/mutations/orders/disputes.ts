import type { Mutation } from '../mutation.ts';

const DISPUTE = 'shared/domains/orders/dispute_order.ts';
const DECIDE = 'shared/domains/orders/decide_dispute.ts';
const VERDICT = 'shared/domains/deals/verdict.ts';
const UNANSWERED = 'shared/domains/orders/refund_unanswered_disputes.ts';
const TIMER = 'shared/jobs/timers/timer.ts';
const RELEASE = 'shared/domains/orders/release_due_orders.ts';
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
    file: 'shared/domains/orders/disputes.ts',
    from: 'RESPONSE_HOURS = 48',
    to: 'RESPONSE_HOURS = 47',
    tests: [DISPUTES],
  },
  {
    name: 'dispute_is_answered_twice',
    file: 'shared/domains/orders/respond_dispute.ts',
    from: ' and responded_at is null',
    to: '',
    tests: [RESPONSES],
  },
  {
    name: 'closed_dispute_is_answered',
    file: 'shared/domains/orders/respond_dispute.ts',
    from: "    assertStatus(order, 'disputed');\n",
    to: '',
    tests: [RESPONSES],
  },
  {
    name: 'withdrawal_refunds_the_buyer',
    file: 'shared/domains/orders/withdraw_dispute.ts',
    from: '({ subtotal }) => subtotal',
    to: '() => 0n',
    tests: [WITHDRAWALS],
  },
  {
    name: 'withdrawal_of_a_closed_dispute',
    file: 'shared/domains/orders/withdraw_dispute.ts',
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
    file: VERDICT,
    from: 'part < all) return',
    to: 'part <= all) return',
    tests: [DECISIONS],
  },
  {
    name: 'split_gives_the_seller_nothing',
    file: VERDICT,
    from: 'part > 0n &&',
    to: 'part >= 0n &&',
    tests: [DECISIONS],
  },
  {
    name: 'verdicts_are_swapped',
    file: VERDICT,
    from: "verdict === 'refund' ? 0n : all",
    to: "verdict === 'refund' ? all : 0n",
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
    file: TIMER,
    from: 'locked.filter(({ id }) => due.has(id))',
    to: 'locked.filter(() => due)',
    tests: [RESPONSES, UNANSWERED_DISPUTES],
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
    file: TIMER,
    from: 'locked.filter(({ id }) => due.has(id))',
    to: 'locked.filter(() => due)',
    tests: [RELEASES, RACES],
  },
  {
    name: 'release_ends_after_the_first_many',
    file: TIMER,
    from: 'found.length === rowsMax',
    to: 'found.length > rowsMax',
    tests: [RELEASES],
  },
  {
    name: 'one_order_that_cannot_be_released_stops_all',
    file: 'shared/jobs/timers/sweep.ts',
    from: 'if (group.length === 1) {',
    to: 'if (group.length >= 1) {',
    tests: [RELEASES],
  },
];
