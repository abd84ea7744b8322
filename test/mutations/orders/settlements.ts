import type { Mutation } from '../mutation.ts';

const SETTLE = 'migrations/functions/orders/settle_orders.sql';
const RESTOCK = 'migrations/functions/orders/restock_orders.sql';
const LOCK = 'migrations/functions/orders/lock_orders.sql';
const UNCOUNT = 'migrations/functions/uncount_spends.sql';
const DECISIONS = 'test/orders/decide_dispute.test.ts';
const REFUNDS = 'test/orders/refund_order.test.ts';
const CONFIRMATIONS = 'test/orders/confirm_order.test.ts';
const RELEASES = 'test/orders/release_due_orders.test.ts';
const SILENT = 'test/orders/refund_unanswered_disputes.test.ts';
const RACES = 'test/orders/order_races.test.ts';

export const SETTLEMENTS: readonly Mutation[] = [
  {
    name: 'fee_of_a_split_rounds_up',
    file: SETTLE,
    from: 'div(o.fee::numeric * u.earned, o.subtotal)::bigint',
    to: 'ceil(o.fee::numeric * u.earned / o.subtotal)::bigint',
    tests: [DECISIONS],
  },
  {
    name: 'fee_of_a_large_split_overflows',
    file: SETTLE,
    from: 'o.fee::numeric * u.earned',
    to: 'o.fee * u.earned',
    tests: [DECISIONS],
    grep: 'too large for 64 bits',
  },
  {
    name: 'refund_keeps_the_fee',
    file: SETTLE,
    from: 'subtotal + fee - earned - fee_kept as refund',
    to: 'subtotal - earned as refund',
    tests: [REFUNDS],
  },
  {
    name: 'platform_takes_credit_before_the_seller',
    file: SETTLE,
    from: 'least(credit - least(credit, earned), fee_kept) as credit_kept',
    to: 'least(credit, fee_kept) as credit_kept',
    tests: [RELEASES],
  },
  {
    name: 'seller_is_paid_in_cash_first',
    file: SETTLE,
    from: 'least(credit, earned) as credit_earned',
    to: 'greatest(0, earned - cash) as credit_earned',
    tests: [RELEASES],
  },
  {
    name: 'refund_goes_to_the_seller',
    file: SETTLE,
    from: "(3, 'order.refund', 'treasury', buyer_root, buyer_root, refund,",
    to: "(3, 'order.refund', 'treasury', seller_root, seller_root, refund,",
    tests: [REFUNDS],
  },
  {
    name: 'release_goes_to_the_agent_and_not_its_tree',
    file: SETTLE,
    from: "'treasury'::ledger.account, seller_root, seller_root, earned,",
    to: "'treasury'::ledger.account, seller_id, seller_id, earned,",
    tests: [CONFIRMATIONS],
  },
  {
    name: 'settling_tells_the_buyer_only',
    file: SETTLE,
    from: 'values (1, buyer_id, buyer_root), (2, seller_id, seller_root)) as party',
    to: 'values (1, buyer_id, buyer_root)) as party',
    tests: [CONFIRMATIONS],
  },
  {
    name: 'paid_order_stays_open',
    file: SETTLE,
    from: 'from settled where orders.id = settled.id)',
    to: 'from settled where orders.id = -settled.id)',
    tests: [CONFIRMATIONS],
  },
  {
    name: 'sale_announces_no_tier',
    file: 'shared/domains/orders/settle.ts',
    from: 'new Set(roots)',
    to: 'new Set(roots.slice(0, 0))',
    tests: ['test/wallet/tiers.test.ts'],
    grep: 'is announced',
  },
  {
    name: 'sale_that_a_timer_pays_announces_no_tier',
    file: 'shared/domains/orders/settle.ts',
    from: 'earned[n]! > 0n',
    to: 'earned[n]! < 0n',
    tests: ['test/wallet/tiers.test.ts'],
    grep: 'a timer pays',
  },
  {
    name: 'refund_does_not_free_the_limits_of_its_day',
    file: SETTLE,
    from: 'array_agg(spent_on), array_agg(refunded))',
    to: 'array_agg(spent_on), array_agg(0::bigint))',
    tests: [REFUNDS],
  },
  {
    name: 'refund_frees_the_whole_price',
    file: SETTLE,
    from: 'array_agg(spent_on), array_agg(refunded)',
    to: 'array_agg(spent_on), array_agg(subtotal + fee)',
    tests: [DECISIONS],
  },
  {
    name: 'one_refund_of_a_day_is_taken_off',
    file: UNCOUNT,
    from: 'sum(u.amount)::bigint',
    to: 'max(u.amount)::bigint',
    tests: [SILENT],
  },
  {
    name: 'refunded_units_are_gone',
    file: SETTLE,
    from: '    perform restock_orders(v_refunded);\n',
    to: '',
    tests: [REFUNDS],
  },
  {
    name: 'split_order_gives_its_units_back',
    file: RESTOCK,
    from: "o.status = 'refunded' and stock",
    to: "o.status <> 'completed' and stock",
    tests: [DECISIONS],
  },
  {
    name: 'split_order_gives_its_counted_units_back',
    file: RESTOCK,
    from: "           where id = any (p_orders) and status = 'refunded' and revealed_at",
    to: '           where id = any (p_orders) and revealed_at',
    tests: [DECISIONS],
  },
  {
    name: 'seen_unit_is_sold_again',
    file: RESTOCK,
    from: "case when o.revealed_at is null then 'available' else 'burned' end",
    to: "'available'",
    tests: [REFUNDS],
  },
  {
    name: 'seen_counted_unit_is_sold_again',
    file: RESTOCK,
    from: "status = 'refunded' and revealed_at is null\n           group",
    to: "status = 'refunded'\n           group",
    tests: [REFUNDS],
  },
  {
    name: 'one_unit_of_many_comes_back',
    file: RESTOCK,
    from: 'sum(quantity)::int as units',
    to: 'count(*)::int as units',
    tests: [REFUNDS],
  },
  {
    name: 'neither_trees_nor_orders_are_locked',
    file: LOCK,
    from: `  perform from ledger.lock_treasuries(array(
    select distinct party.root from orders o
     cross join lateral (values (o.buyer_root), (o.seller_root)) as party(root)
     where o.id = any (p_orders)));
  return query select * from orders where id = any (p_orders) order by id for no key update;`,
    to: '  return query select * from orders where id = any (p_orders) order by id;',
    tests: [REFUNDS, 'test/orders/withdraw_dispute.test.ts'],
  },
  {
    name: 'orders_are_read_without_a_lock',
    file: LOCK,
    from: ' order by id for no key update;',
    to: ' order by id;',
    tests: [REFUNDS, RACES],
  },
];
