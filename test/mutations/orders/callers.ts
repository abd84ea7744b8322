import type { Mutation } from '../mutation.ts';

const REFUND = 'shared/domains/orders/refund_order.ts';
const OWN = 'shared/domains/orders/own_orders.ts';
const REFUNDS = 'test/orders/refund_order.test.ts';
const CONFIRMATIONS = 'test/orders/confirm_order.test.ts';

/** Which caller may end an order, and in which state. */
export const ENDED_BY_CALLERS: readonly Mutation[] = [
  {
    name: 'closed_order_is_confirmed',
    file: 'shared/domains/orders/confirm_order.ts',
    from: "    assertStatus(order, 'escrow');\n",
    to: '',
    tests: [CONFIRMATIONS],
  },
  {
    name: 'seller_confirms',
    file: 'shared/domains/orders/confirm_order.ts',
    from: "    assertRole(role, 'buyer');\n",
    to: '',
    tests: [CONFIRMATIONS],
  },
  {
    name: 'owner_is_not_the_buyer',
    file: OWN,
    from: '$2 = any (buyer.lineage) as buys',
    to: 'o.buyer_id = $2 as buys',
    tests: [REFUNDS],
    grep: 'owner of the agent that bought',
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
    from: "    if (role === 'buyer') await assertUnopened(tx, order);\n",
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
