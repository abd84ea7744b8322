import type { Mutation } from '../mutation.ts';

const SETTLE = 'shared/orders/settle.ts';
const REFUND = 'shared/orders/refund_order.ts';
const OWN = 'shared/orders/own_orders.ts';
const DECISIONS = 'test/orders/decide_dispute.test.ts';
const REFUNDS = 'test/orders/refund_order.test.ts';
const CONFIRMATIONS = 'test/orders/confirm_order.test.ts';
const RELEASES = 'test/orders/release_due_orders.test.ts';
const RACES = 'test/orders/order_races.test.ts';

/** Both locks of orders: with either of them the other is only their order. */
const LOCKS = `  await lockTreasuries(
    db,
    parties.map((party) => party.root_id),
  );
  return rows(
    db,
    LOCKED_ORDER,
    \`select \${ORDER_COLUMNS}, o.buyer_root, o.seller_root, o.spent_on::text
       from orders o where o.id = any ($1) order by o.id for no key update`;

export const SETTLEMENTS: readonly Mutation[] = [
  {
    name: 'fee_of_a_split_rounds_up',
    file: SETTLE,
    from: '(order.fee * earned) / subtotal',
    to: '(order.fee * earned + subtotal - 1n) / subtotal',
    tests: [DECISIONS],
  },
  {
    name: 'refund_keeps_the_fee',
    file: SETTLE,
    from: 'subtotal + order.fee - earned - fee',
    to: 'subtotal - earned',
    tests: [REFUNDS],
  },
  {
    name: 'platform_takes_credit_before_the_seller',
    file: SETTLE,
    from: 'const toPlatform = creditFirst(fee, afterSeller);',
    to: 'const toPlatform = creditFirst(fee, order);',
    tests: [RELEASES],
  },
  {
    name: 'seller_is_paid_in_cash_first',
    file: SETTLE,
    from: 'const toSeller = creditFirst(earned, order);',
    to: 'const toSeller = minus(order, creditFirst(order.credit + order.cash - earned, order));',
    tests: [RELEASES],
  },
  {
    name: 'refund_goes_to_the_seller',
    file: SETTLE,
    from: 'to: treasury(order.buyer_root)',
    to: 'to: treasury(order.seller_root)',
    tests: [REFUNDS],
  },
  {
    name: 'release_goes_to_the_agent_and_not_its_tree',
    file: SETTLE,
    from: 'to: treasury(order.seller_root)',
    to: 'to: treasury(order.seller_id)',
    tests: [CONFIRMATIONS],
  },
  {
    name: 'refund_does_not_free_the_limits_of_its_day',
    file: SETTLE,
    from: 'if (refund > 0n) {\n      await unspend',
    to: 'if (refund < 0n) {\n      await unspend',
    tests: [REFUNDS],
  },
  {
    name: 'refund_frees_the_whole_price',
    file: SETTLE,
    from: 'day: order.spent_on, amount: refund',
    to: 'day: order.spent_on, amount: order.subtotal + order.fee',
    tests: [DECISIONS],
  },
  {
    name: 'refunded_units_are_gone',
    file: SETTLE,
    from: "    if (status === 'refunded') await restock(db, order);\n",
    to: '',
    tests: [REFUNDS],
  },
  {
    name: 'split_order_gives_its_units_back',
    file: SETTLE,
    from: "if (status === 'refunded')",
    to: "if (status !== 'completed')",
    tests: [DECISIONS],
  },
  {
    name: 'seen_unit_is_sold_again',
    file: 'shared/orders/restock.ts',
    from: 'if (revealed_at) {',
    to: 'if (false) {',
    tests: [REFUNDS],
  },
  {
    name: 'one_unit_of_many_comes_back',
    file: 'shared/orders/restock.ts',
    from: 'quantity = quantity + $2',
    to: 'quantity = quantity + least(1, $2)',
    tests: [REFUNDS],
  },
  {
    name: 'neither_trees_nor_orders_are_locked',
    file: 'shared/orders/locked_orders.ts',
    from: LOCKS,
    to: `  return rows(
    db,
    LOCKED_ORDER,
    \`select \${ORDER_COLUMNS}, o.buyer_root, o.seller_root, o.spent_on::text
       from orders o where o.id = any ($1) order by o.id`,
    tests: [REFUNDS, 'test/orders/withdraw_dispute.test.ts'],
  },
  {
    name: 'orders_are_read_without_a_lock',
    file: 'shared/orders/locked_orders.ts',
    from: ' order by o.id for no key update',
    to: ' order by o.id',
    tests: [REFUNDS, RACES],
  },
  {
    name: 'closed_order_is_confirmed',
    file: 'shared/orders/confirm_order.ts',
    from: "    assertStatus(order, 'escrow');\n",
    to: '',
    tests: [CONFIRMATIONS],
  },
  {
    name: 'seller_confirms',
    file: 'shared/orders/confirm_order.ts',
    from: "    assertRole(role, 'buyer');\n",
    to: '',
    tests: [CONFIRMATIONS],
  },
  {
    name: 'owner_is_not_the_buyer',
    file: OWN,
    from: '$2 = any (buyer.lineage) as buys',
    to: 'o.buyer_id = $2 as buys',
    tests: [CONFIRMATIONS],
  },
  {
    name: 'everybody_is_the_seller',
    file: OWN,
    from: 'o.seller_id = $2 as sells',
    to: 'true as sells',
    tests: [REFUNDS],
  },
  {
    name: 'closed_order_is_refunded',
    file: REFUND,
    from: "    assertStatus(order, 'escrow', 'disputed');\n",
    to: '',
    tests: [REFUNDS],
  },
  {
    name: 'seen_goods_are_given_back_by_their_buyer',
    file: REFUND,
    from: "    if (role === 'buyer') assertUnopened(order);\n",
    to: '',
    tests: [REFUNDS],
  },
  {
    name: 'refund_needs_no_scope',
    file: REFUND,
    from: '    assertScope(tx, role);\n',
    to: '',
    tests: [REFUNDS],
  },
  {
    name: 'refund_leaves_its_dispute_open',
    file: REFUND,
    from: "if (order.status === 'disputed') await",
    to: "if (order.status === 'escrow') await",
    tests: [REFUNDS],
  },
];
