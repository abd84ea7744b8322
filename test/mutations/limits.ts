import type { Mutation } from './mutation.ts';

const LIMITS = 'shared/kernel/limits/limits.ts';
const STORAGE = 'shared/domains/agents/limits/storage.ts';
const STORED = 'test/products/storage_limits.test.ts';
const RESERVED = 'test/orders/reservation_limits.test.ts';
const UNITS = 'test/labor/given_up_units.test.ts';
const BIDS = 'test/tasks/bid_limits.test.ts';

/** Limits of trees of agents, and of addresses, beside that of calls. */
export const LIMITS_OF_TREES: readonly Mutation[] = [
  {
    name: 'a_limit_is_never_reached',
    file: LIMITS,
    from: 'or held.used + $3 <= $4',
    to: 'or $4 > 0',
    tests: [BIDS],
  },
  {
    name: 'a_limit_never_resets',
    file: LIMITS,
    from: 'where held.resets_at <= clock_timestamp() or',
    to: 'where',
    tests: [BIDS],
  },
  {
    name: 'a_limit_says_no_time',
    file: LIMITS,
    from: 'onRateLimit?.({ name: kind,',
    to: 'void ({ name: kind,',
    tests: [BIDS],
  },
  {
    name: 'a_limit_is_of_all_objects',
    file: LIMITS,
    from: '...(of === undefined ? [] : [of]),',
    to: '',
    tests: [BIDS],
  },
  {
    name: 'a_limit_is_of_all_trees',
    file: LIMITS,
    from: '...(tree === undefined ? [] : [`tree ${tree}`]),',
    to: '',
    tests: [BIDS],
  },
  {
    name: 'changes_of_bids_are_counted_by_agent',
    file: 'shared/domains/tasks/task_bid.ts',
    from: '{ tree: tx.caller.rootId, of: `task ${task_id}` }',
    to: '{ tree: tx.caller.agentId, of: `task ${task_id}` }',
    tests: [BIDS],
  },
  {
    name: 'bids_of_a_task_are_counted_by_agent',
    file: 'shared/domains/tasks/bidding.ts',
    from: 'where task_id = $1 and bidder_root = $2',
    to: 'where task_id = $1 and bidder_id = $2',
    tests: [BIDS],
  },
  {
    name: 'a_tree_takes_the_later_half_of_the_bids',
    file: 'shared/domains/tasks/bidding.ts',
    from: 'bids_count < BIDS_MAX / 2 ?',
    to: 'bids_count < BIDS_MAX ?',
    tests: [BIDS],
  },
  {
    name: 'one_network_uses_up_a_domain_for_all',
    file: 'shared/domains/agents/registrations.ts',
    from: 'const isReached = used >= limit && of_network >= shareOf(limit);',
    to: 'const isReached = used >= limit;',
    tests: ['test/agents/registration_limits.test.ts'],
    grep: 'email domain|networks',
  },
  {
    name: 'each_address_is_a_network',
    file: 'shared/domains/agents/registrations.ts',
    from: '= 4 then 24 else 48 end',
    to: '= 4 then 32 else 64 end',
    tests: ['test/agents/registration_limits.test.ts'],
    grep: 'email domain|networks',
  },
  {
    name: 'contents_of_products_are_stored_without_end',
    file: STORAGE,
    from: 'where p.root_id = $1 and v.content is not null',
    to: 'where p.root_id = -$1 and v.content is not null',
    tests: [STORED],
  },
  {
    name: 'storage_is_not_locked',
    file: STORAGE,
    from: "hashtextextended('storage', $1))`, [rootId]",
    to: 'hashtextextended(random()::text, $1))`, [rootId]',
    tests: [STORED],
  },
  {
    name: 'sold_datasets_are_stored_without_end',
    file: STORAGE,
    from: "where d.root_id = $1 and d.type = 'json'), 0)",
    to: "where d.root_id = $1 and d.type = 'json' and d.price = 0), 0)",
    tests: ['test/datasets/dataset_uploads.test.ts'],
    grep: '256 MB',
  },
  {
    name: 'replaced_datasets_are_stored_without_end',
    file: STORAGE,
    from: 'where d.root_id = $1 and v.superseded_at is not null',
    to: 'where d.root_id = $1 and v.superseded_at is null and false',
    tests: ['test/datasets/kept_versions.test.ts'],
    grep: 'counts as stored',
  },
  {
    name: 'items_are_listed_without_end',
    file: 'shared/domains/products/add_stock.ts',
    from: 'await takeListed(tx, sealed);',
    to: '',
    tests: [STORED],
  },
  {
    name: 'a_higher_tier_stores_no_more',
    file: STORAGE,
    from: 'const most = BYTES_MAX[tier];',
    to: 'const most = BYTES_MAX[tier && "free"];',
    tests: [STORED],
  },
  {
    name: 'a_tree_reserves_a_product_for_ever',
    file: 'shared/domains/orders/pending/pending_orders.ts',
    from: 'reserves && (await isTaken(tx, RESERVATIONS, holder));',
    to: 'reserves;',
    tests: [RESERVED],
  },
  {
    name: 'what_is_bought_counts_as_reserved',
    file: 'shared/domains/orders/pending/pending_orders.ts',
    from: 'if (!order.is_reserved) continue;\n    const of',
    to: 'if (order.is_reserved) continue;\n    const of',
    tests: [RESERVED],
  },
  {
    name: 'a_tree_gives_up_units_without_end',
    file: 'shared/domains/labor/take_labor_task.ts',
    from: 'if (used < limit.max) return;',
    to: 'if (used >= 0) return;',
    tests: [UNITS],
  },
  {
    name: 'small_tasks_are_held_for_ever',
    file: 'shared/domains/labor/labor_task.ts',
    from: 'Math.min(100, Math.max(5, units))',
    to: 'Math.max(100, units)',
    tests: [UNITS],
  },
  {
    name: 'units_given_up_are_counted_by_agent',
    file: 'shared/domains/labor/take_labor_task.ts',
    from: '[tx.caller.rootId, task.id],',
    to: '[tx.caller.agentId, task.id],',
    tests: [UNITS],
  },
  {
    name: 'windows_of_limits_that_go_on_are_deleted',
    file: 'shared/domains/jobs/forget_old_rows.ts',
    from: "key: 'ctid', from: 'resets_at', days: 0,",
    to: "key: 'ctid', from: 'resets_at', days: -1,",
    tests: ['test/jobs/forget_old_rows.test.ts'],
    grep: 'limits',
  },
];
