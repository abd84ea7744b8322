import type { Mutation } from '../mutation.ts';

const CHECK = 'shared/domains/orders/goods/check_goods.ts';
const SET = 'shared/domains/orders/goods/set_goods_check.ts';
const TESTS = ['test/orders/goods_checks.test.ts'];

/** Orders that are confirmed because their goods pass a check. */
export const GOODS_CHECKS: readonly Mutation[] = [
  {
    name: 'goods_that_fail_are_confirmed',
    file: CHECK,
    from: 'const confirms = passes && order',
    to: 'const confirms = order',
    tests: TESTS,
  },
  {
    name: 'goods_check_confirms_dearer_orders',
    file: CHECK,
    from: 'const confirms = passes && order.subtotal + order.fee <= check.amount_max;',
    to: 'const confirms = passes && order.subtotal <= check.amount_max;',
    tests: TESTS,
  },
  {
    name: 'goods_check_judges_a_disputed_order',
    file: CHECK,
    from: "if (order.status !== 'escrow') return",
    to: "if (order.status === 'completed') return",
    tests: TESTS,
  },
  {
    name: 'goods_check_that_was_changed_decides',
    file: CHECK,
    from: 'and product_id = $2 and judged_by = $3::jsonb for share',
    to: 'and product_id = $2 and ($3::jsonb is not null) for share',
    tests: TESTS,
  },
  {
    name: 'goods_check_puts_a_payment_off',
    file: CHECK,
    from: 'set release_at = least(release_at, now() + make_interval',
    to: 'set release_at = greatest(now(), now() + make_interval',
    tests: TESTS,
  },
  {
    name: 'goods_check_of_another_tree_judges',
    file: CHECK,
    from: 'on (g.root_id, g.product_id) = (o.buyer_root, o.product_id)',
    to: 'on g.product_id = o.product_id',
    tests: TESTS,
  },
  {
    name: 'goods_check_judges_the_first_item_alone',
    file: CHECK,
    from: 'verification.findFailing(check, items, { tree })',
    to: 'verification.findFailing(check, items.slice(0, 1), { tree })',
    tests: TESTS,
  },
  {
    name: 'rule_pays_for_goods_that_fail',
    file: CHECK,
    from: 'if (passes) await confirmByRule',
    to: 'await confirmByRule',
    tests: TESTS,
  },
  {
    name: 'rule_does_not_wait_for_the_verdict',
    file: 'shared/domains/orders/opening.ts',
    from: 'case when not ${IS_CHECKED} then',
    to: 'case when ${IS_CHECKED} is not null then',
    tests: TESTS,
  },
  {
    name: 'rule_is_forgotten_where_a_check_ended',
    file: CHECK,
    from: 'if (!judged || !check) {\n      await confirmByRule(tx.db, order_id);',
    to: 'if (!judged || !check) {',
    tests: TESTS,
  },
  {
    name: 'owner_is_not_told_of_goods_that_failed',
    file: CHECK,
    from: 'passes ? null : order.buyer_root',
    to: 'null',
    tests: TESTS,
  },
  {
    name: 'failed_goods_stand_in_the_inbox_of_others',
    file: 'shared/domains/orders/parties/inbox.ts',
    from: 'where g.root_id = $1 and g.root_id = $2 and',
    to: 'where $1::bigint > 0 and $2::bigint > 0 and',
    tests: TESTS,
  },
  {
    name: 'goods_checks_are_more_than_a_hundred',
    file: SET,
    from: 'if (count >= CHECKS_MAX)',
    to: 'if (count > CHECKS_MAX)',
    tests: ['test/orders/set_goods_check.test.ts'],
  },
  {
    name: 'goods_verdicts_of_others_are_listed',
    file: 'shared/domains/orders/goods/list_goods_verdicts.ts',
    from: 'where g.buyer_id = any ($1) and g.order_id',
    to: 'where $1::bigint[] is not null and g.order_id',
    tests: TESTS,
  },
];
