import type { Mutation } from '../mutation.ts';

const ALONE = 'migrations/functions/purchase_alone.sql';
const PERFORM = 'migrations/functions/perform_purchases.sql';
const FOR_SALE = 'migrations/functions/is_for_sale.sql';
const BATCHES = 'test/orders/purchase_batch.test.ts';
const TERMS = 'test/orders/purchase_terms.test.ts';
const LIMITS = 'test/orders/purchase_limits.test.ts';
const PATHS = 'test/orders/purchase_paths.test.ts';
const PURCHASES = 'test/orders/purchase_product.test.ts';
const LOCKS = 'test/orders/purchase_locks.test.ts';

export const LONE_PURCHASES: readonly Mutation[] = [
  {
    name: 'fee_of_a_sale_rounds_half_down',
    file: 'migrations/functions/fee_of.sql',
    from: '+ 5',
    to: '+ 4',
    tests: [PATHS],
  },
  {
    name: 'tree_buys_of_itself',
    file: FOR_SALE,
    from: ' and p_product.root_id <> p_buyer_root',
    to: '',
    tests: [BATCHES],
  },
  {
    name: 'unapproved_product_is_sold',
    file: FOR_SALE,
    from: "p_product.status = 'approved' and ",
    to: '',
    tests: [BATCHES],
  },
  {
    name: 'inactive_product_is_sold',
    file: FOR_SALE,
    from: ' and p_product.active',
    to: '',
    tests: [BATCHES],
  },
  {
    name: 'batch_acts_twice',
    file: PERFORM,
    from: " and status = 'pending'",
    to: '',
    tests: [BATCHES],
  },
  {
    name: 'two_workers_perform_one_purchase',
    file: PERFORM,
    from: ' order by id for update skip locked',
    to: ' order by id',
    tests: [LOCKS],
  },
  {
    name: 'worker_waits_for_what_another_performs',
    file: PERFORM,
    from: ' for update skip locked',
    to: ' for update',
    tests: [LOCKS],
  },
  {
    name: 'quantity_is_always_one',
    file: PERFORM,
    from: "(input ->> 'quantity')::int",
    to: 'null::int',
    tests: [BATCHES],
  },
  {
    name: 'lone_purchase_waits_for_no_other',
    file: ALONE,
    from: 'from ledger.lock_treasuries(array [v_root])',
    to: 'from ledger.treasury where id = v_root',
    tests: [LOCKS],
  },
  {
    name: 'lone_purchase_allows_a_higher_total',
    file: ALONE,
    from: 'if v_total > p_max_total',
    to: 'if v_subtotal > p_max_total',
    tests: [TERMS],
  },
  {
    name: 'lone_purchase_refuses_its_very_limit',
    file: ALONE,
    from: 'if v_total > p_max_total',
    to: 'if v_total >= p_max_total',
    tests: [TERMS],
  },
  {
    name: 'lone_purchase_pays_with_credit_where_only_cash_may',
    file: ALONE,
    from: '  if not v_product.accepts_credit then v_credit := 0; end if;\n',
    to: '',
    tests: [TERMS],
  },
  {
    name: 'lone_purchase_leaves_a_micro_dollar',
    file: ALONE,
    from: 'v_total > v_credit + v_cash',
    to: 'v_total >= v_credit + v_cash',
    tests: [BATCHES],
  },
  {
    name: 'lone_purchase_needs_cash_for_the_subtotal_only',
    file: ALONE,
    from: 'v_total > v_credit + v_cash',
    to: 'v_subtotal > v_credit + v_cash',
    tests: [BATCHES],
  },
  {
    name: 'policy_of_a_lone_purchase_judges_the_subtotal',
    file: ALONE,
    from: 'v_product.category, v_total,',
    to: 'v_product.category, v_subtotal,',
    tests: [BATCHES],
  },
  {
    name: 'daily_limit_of_a_lone_purchase_judges_the_subtotal',
    file: ALONE,
    from: 'else 0 end + v_total,\n',
    to: 'else 0 end + v_subtotal,\n',
    tests: [LIMITS],
  },
  {
    name: 'daily_limit_of_a_lone_purchase_forgets_today',
    file: ALONE,
    from: 'case when spend.day = v_day then spend.amount else 0 end + v_total,\n           case',
    to: 'v_total,\n           case',
    tests: ['test/wallet/midnight.test.ts'],
    grep: 'in a lone purchase',
  },
  {
    name: 'daily_limit_of_a_lone_purchase_counts_yesterday',
    file: ALONE,
    from: 'case when spend.day = v_day then spend.amount else 0 end + v_total,\n           case',
    to: 'spend.amount + v_total,\n           case',
    tests: [BATCHES],
  },
  {
    name: 'owners_policy_does_not_bind_a_lone_purchase',
    file: ALONE,
    from: 'where member.id = any (v_lineage)',
    to: 'where member.id = p_agent',
    tests: [BATCHES],
  },
  {
    name: 'last_counted_unit_is_not_sold_alone',
    file: ALONE,
    from: 'product.quantity >= p_quantity',
    to: 'product.quantity > p_quantity',
    tests: [BATCHES],
  },
  {
    name: 'lone_purchase_of_a_version_that_is_gone',
    file: ALONE,
    from: '       and version = v_product.version and is_for_sale(product, v_root);',
    to: ';',
    tests: [LOCKS],
  },
  {
    name: 'lone_purchase_sells_fewer_units',
    file: ALONE,
    from: '    if cardinality(v_units) < p_quantity then return null; end if;\n',
    to: '',
    tests: [PURCHASES],
  },
  {
    name: 'lone_purchase_sells_a_sold_unit',
    file: ALONE,
    from: " and status = 'available'\n",
    to: '\n',
    tests: [PATHS],
  },
  {
    name: 'lone_purchases_share_a_unit',
    file: ALONE,
    from: 'limit p_quantity for update skip locked',
    to: 'limit p_quantity',
    tests: [LOCKS],
  },
  {
    name: 'lone_purchase_counts_to_the_agent_alone',
    file: ALONE,
    from: '   where agent_id = any (v_lineage);',
    to: '   where agent_id = p_agent;',
    tests: [BATCHES],
  },
  {
    name: 'lone_purchase_adds_to_what_other_days_spent',
    file: ALONE,
    from: 'amount = case when spend.day = v_day then spend.amount else 0 end + v_total',
    to: 'amount = spend.amount + v_total',
    tests: [BATCHES],
  },
  {
    name: 'lone_purchase_is_released_in_days',
    file: ALONE,
    from: 'make_interval(hours =>',
    to: 'make_interval(days =>',
    tests: [PATHS],
  },
  {
    name: 'lone_purchase_tells_the_buyer_only',
    file: ALONE,
    from: '(values (p_agent, v_root), (v_product.seller_id, v_product.root_id))',
    to: '(values (p_agent, v_root))',
    tests: [PATHS],
  },
  {
    name: 'lone_purchase_spends_cash_first',
    file: ALONE,
    from: 'least(v_total, v_credit)',
    to: 'greatest(0, v_total - v_cash)',
    tests: [PATHS],
  },
];
